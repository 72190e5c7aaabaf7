// Druid's own timeline as a filter: a JSON array of segments a line in, what is visible and what is overshadowed out.
// Started from its source by `java -cp JARS Umpire.java`; the jars are those of the release under test.

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.InjectableValues;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.druid.jackson.DefaultObjectMapper;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.timeline.DataSegment;
import org.apache.druid.timeline.SegmentTimeline;
import org.apache.druid.timeline.TimelineObjectHolder;
import org.apache.druid.timeline.partition.PartitionChunk;

public class Umpire {
  public static void main(String[] arguments) throws Exception {
    // Whatever the jars log goes elsewhere: this stream is for answers alone.
    PrintStream answers = System.out;
    System.setOut(System.err);
    ObjectMapper mapper = new DefaultObjectMapper();
    mapper.setInjectableValues(
        new InjectableValues.Std()
            .addValue(ObjectMapper.class, mapper)
            .addValue(DataSegment.PruneSpecsHolder.class, DataSegment.PruneSpecsHolder.DEFAULT));
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Map<String, Object> answer = new LinkedHashMap<>();
      try {
        judge(mapper.readValue(line, new TypeReference<List<DataSegment>>() {}), answer);
      } catch (Exception e) {
        answer.clear();
        answer.put("error", e.toString());
      }
      answers.println(mapper.writeValueAsString(answer));
      answers.flush();
    }
  }

  private static void judge(List<DataSegment> segments, Map<String, Object> answer) {
    SegmentTimeline timeline = SegmentTimeline.forSegments(segments);
    List<Object> visible = new ArrayList<>();
    for (TimelineObjectHolder<String, DataSegment> holder : timeline.lookup(Intervals.ETERNITY)) {
      List<Integer> partitions = new ArrayList<>();
      boolean tombstone = true;
      for (PartitionChunk<DataSegment> chunk : holder.getObject()) {
        partitions.add(chunk.getChunkNumber());
        tombstone &= chunk.getObject().isTombstone();
      }
      Map<String, Object> piece = new LinkedHashMap<>();
      piece.put("interval", holder.getInterval().toString());
      piece.put("true_interval", holder.getTrueInterval().toString());
      piece.put("version", holder.getVersion());
      piece.put("partitions", partitions);
      piece.put("tombstone", tombstone);
      visible.add(piece);
    }
    List<String> overshadowed = new ArrayList<>();
    for (DataSegment segment : segments) {
      if (timeline.isOvershadowed(segment.getInterval(), segment.getVersion(), segment)) {
        overshadowed.add(segment.getId().toString());
      }
    }
    answer.put("visible", visible);
    answer.put("overshadowed", overshadowed);
  }
}
