import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.timeline.DataSegment;
import org.apache.druid.timeline.SegmentTimeline;
import org.apache.druid.timeline.TimelineObjectHolder;
import org.apache.druid.timeline.partition.NumberedShardSpec;
import org.apache.druid.timeline.partition.PartitionChunk;
import org.apache.druid.timeline.partition.ShardSpec;
import org.apache.druid.timeline.partition.TombstoneShardSpec;

/**
 * How long Druid's own SegmentTimeline takes: build from decoded segments, everything that is visible, is-overshadowed
 * for each segment.
 *
 * Reads a file of lines {@code start_ms TAB end_ms TAB version TAB partition TAB core TAB kind}, repeats the work until
 * the given time is over (the first half is warming up and does not count), and prints one line:
 * {@code median_ns TAB repeats TAB visible_holders TAB overshadowed TAB fnv}. The last is FNV-1a (64 bits) over
 * {@code start_ms,end_ms,version,p0;p1;…\n} of every visible holder in order, partitions ascending.
 */
public final class TimelineTimes
{
  public static void main(String[] args) throws IOException
  {
    List<DataSegment> segments = read(Path.of(args[0]));
    long untilNs = System.nanoTime() + (long) (Double.parseDouble(args[1]) * 1e9);
    long countFromNs = System.nanoTime() + (long) (Double.parseDouble(args[1]) * 0.5e9);
    List<Long> times = new ArrayList<>();
    List<TimelineObjectHolder<String, DataSegment>> visible = List.of();
    int overshadowed = 0;
    while (System.nanoTime() < untilNs || times.size() < 5) {
      long begun = System.nanoTime();
      SegmentTimeline timeline = SegmentTimeline.forSegments(segments);
      visible = timeline.lookup(Intervals.ETERNITY);
      overshadowed = 0;
      for (DataSegment segment : segments) {
        if (timeline.isOvershadowed(segment)) {
          overshadowed++;
        }
      }
      long ended = System.nanoTime();
      if (begun >= countFromNs) {
        times.add(ended - begun);
      }
    }
    Collections.sort(times);
    System.out.printf(
        "%d\t%d\t%d\t%d\t%016x%n",
        times.get(times.size() / 2), times.size(), visible.size(), overshadowed, fnv(visible)
    );
  }

  private static List<DataSegment> read(Path file) throws IOException
  {
    List<DataSegment> segments = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      String[] part = line.split("\t");
      int partition = Integer.parseInt(part[3]);
      ShardSpec shard = "tombstone".equals(part[5])
          ? new TombstoneShardSpec()
          : new NumberedShardSpec(partition, Integer.parseInt(part[4]));
      segments.add(
          DataSegment.builder()
                     .dataSource("events_web")
                     .interval(Intervals.utc(Long.parseLong(part[0]), Long.parseLong(part[1])))
                     .version(part[2])
                     .loadSpec(Map.of())
                     .dimensions(List.of("country", "device", "page"))
                     .metrics(List.of("count", "bytes"))
                     .shardSpec(shard)
                     .binaryVersion(9)
                     .size(1_000_000)
                     .build()
      );
    }
    return segments;
  }

  private static long fnv(List<TimelineObjectHolder<String, DataSegment>> visible)
  {
    long hash = 0xcbf29ce484222325L;
    for (TimelineObjectHolder<String, DataSegment> holder : visible) {
      List<Integer> partitions = new ArrayList<>();
      for (PartitionChunk<DataSegment> chunk : holder.getObject()) {
        partitions.add(chunk.getChunkNumber());
      }
      int[] sorted = partitions.stream().mapToInt(Integer::intValue).sorted().toArray();
      String line = holder.getInterval().getStartMillis() + "," + holder.getInterval().getEndMillis() + ","
                    + holder.getVersion() + ","
                    + String.join(";", Arrays.stream(sorted).mapToObj(Integer::toString).toList()) + "\n";
      for (byte b : line.getBytes(StandardCharsets.UTF_8)) {
        hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
      }
    }
    return hash;
  }
}
