// Time chunks and relations of intervals as Druid's and Joda's own classes see them: the source of
// tests/vectors/chunks.jsonl.gz and tests/vectors/interval-relations.json.
//
// Run with druid-processing 33.0.0 and what it needs on the class path, in English and UTC as a server is:
//   java -Duser.timezone=UTC -Duser.language=en -Duser.country=US -cp "LIB/*" Chunks.java chunks | gzip -9n > chunks.jsonl.gz
//   java … Chunks.java relations > interval-relations.json
// chunks: one object a line: "granularity" as a spec has it, "chunks" a flat list of threes: an instant, how far before it its
// chunk starts, how long the chunk is, milliseconds; three nulls where Druid throws; "walks" as [from, to, the first starts of chunks]. 112,210 instants in all.
// relations: "pairs" of intervals with all ends from 0 to 4 ms: [start, end, start, end, "contains overlaps abuts" as letters];
// "condensed": lists of intervals and what JodaUtils.condenseIntervals makes of them.

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.druid.jackson.DefaultObjectMapper;
import org.apache.druid.java.util.common.JodaUtils;
import org.apache.druid.java.util.common.granularity.Granularity;
import org.joda.time.DateTime;
import org.joda.time.DateTimeZone;
import org.joda.time.Interval;
import org.joda.time.chrono.ISOChronology;

public class Chunks {
  static final ObjectMapper JSON = new DefaultObjectMapper();
  // A fixed seed: the table is the same whoever makes it.
  static final Random RANDOM = new Random(20260717);
  static final int INSTANTS = 285;
  static final int FEWER = 235;
  static final int WALKS = 3;
  static final int LONGEST_WALK = 25;

  static final String[] NAMED = {
    "SECOND", "minute", "FIVE_MINUTE", "TEN_MINUTE", "FIFTEEN_MINUTE", "THIRTY_MINUTE", "Hour", "SIX_HOUR", "EIGHT_HOUR",
    "DAY", "WEEK", "MONTH", "QUARTER", "YEAR", "ALL", "NONE",
  };
  static final String[] PERIODS = {
    "PT1S", "PT5S", "PT0.25S", "PT1M", "PT7M", "PT15M", "PT30M", "PT1H", "PT5H", "PT6H", "PT8H", "PT12H", "PT36H", "P1D", "P2D",
    "P10D", "P1W", "P2W", "P1M", "P2M", "P3M", "P5M", "P6M", "P1Y", "P4Y", "P10Y", "P100Y", "P1M2D", "P1DT12H", "PT12H5M", "P1Y6M",
    "P1W1D", "PT1H30M", "P1Y2M3DT4H5M6S",
  };
  // Half hours, quarter hours, a whole day skipped, no summer time, a summer time of half an hour, rules that changed lately.
  static final String[] ZONES = {
    "UTC", "+05:30", "-08:00", "Europe/Berlin", "Europe/London", "Europe/Dublin", "America/New_York", "America/Los_Angeles",
    "America/St_Johns", "America/Sao_Paulo", "America/Santiago", "America/Asuncion", "America/Nuuk", "America/Havana",
    "Asia/Kolkata", "Asia/Kathmandu", "Asia/Tehran", "Asia/Tokyo", "Asia/Almaty", "Asia/Beirut", "Asia/Gaza",
    "Australia/Sydney", "Australia/Lord_Howe", "Pacific/Auckland", "Pacific/Chatham", "Pacific/Apia", "Pacific/Kiritimati",
    "Africa/Cairo", "Africa/Casablanca", "Africa/Monrovia", "Antarctica/Troll", "Etc/GMT+12",
  };
  static final String[] ORIGINS = {
    null, null, null, "1970-01-01T00:00:00Z", "2012-01-03T05:06:07.089Z", "1900-02-28T23:59:59Z", "2400-02-29T12:00:00Z",
    "-0044-03-15T00:00:00Z",
  };
  static final long[] DURATIONS = {1, 7, 1000, 61_000, 3_600_000, 5_400_000, 86_400_000, 604_800_000, 31_557_600_000L};

  public static void main(String[] args) throws Exception {
    if (args[0].equals("relations")) {
      relations();
      return;
    }
    for (String name : NAMED) {
      chunks(JSON.getNodeFactory().textNode(name), "UTC");
    }
    for (int i = 0; i < 340; i++) {
      ObjectNode spec = JSON.createObjectNode().put("type", "period").put("period", PERIODS[i % PERIODS.length]);
      String zone = ZONES[i < 34 ? 0 : RANDOM.nextInt(ZONES.length)];
      spec.put("timeZone", zone).put("origin", ORIGINS[RANDOM.nextInt(compound(spec) ? 5 : ORIGINS.length)]);
      chunks(spec, zone);
    }
    for (int i = 0; i < 50; i++) {
      long duration = DURATIONS[i % DURATIONS.length];
      chunks(JSON.createObjectNode().put("type", "duration").put("duration", duration).put("origin", pick(ORIGINS)), "UTC");
    }
  }

  static <T> T pick(T[] all) {
    return all[RANDOM.nextInt(all.length)];
  }

  // A compound period walks to the instant from its origin, step by step: no far ones.
  static boolean compound(JsonNode spec) {
    return spec.path("period").asText().matches("PT?\\d+[A-Z]T?\\d.*");
  }

  static void chunks(JsonNode spec, String zone) throws Exception {
    Granularity granularity = JSON.treeToValue(spec, Granularity.class);
    DateTimeZone rules = DateTimeZone.forID(zone);
    ObjectNode line = JSON.createObjectNode();
    line.set("granularity", spec);
    ArrayNode out = line.putArray("chunks");
    for (int i = compound(spec) ? INSTANTS - FEWER : 0; i < INSTANTS; i++) {
      long at = compound(spec) ? near(rules) : instant(rules);
      try {
        Interval chunk = granularity.bucket(new DateTime(at, ISOChronology.getInstanceUTC()));
        out.add(at).add(at - chunk.getStartMillis()).add(chunk.toDurationMillis());
      } catch (RuntimeException thrown) {
        out.addNull().addNull().addNull();
      }
    }
    ArrayNode walks = line.putArray("walks");
    for (int i = 0; i < WALKS; i++) {
      long from = near(rules);
      try {
        long chunk = granularity.bucket(new DateTime(from, ISOChronology.getInstanceUTC())).toDurationMillis();
        long to = from + (long) (chunk * RANDOM.nextDouble() * 20);
        ArrayNode walk = JSON.createArrayNode().add(from).add(to);
        ArrayNode starts = walk.addArray();
        for (Interval next : granularity.getIterable(interval(from, to))) {
          starts.add(next.getStartMillis());
          if (starts.size() == LONGEST_WALK) {
            break;
          }
        }
        walks.add(walk);
      } catch (RuntimeException | StackOverflowError thrown) {
        // Nothing to walk over.
      }
    }
    System.out.println(JSON.writeValueAsString(line));
  }

  // Near now, near a change of the zone's clocks, within the years that a calendar has four digits for; in UTC farther out too.
  static long instant(DateTimeZone rules) {
    long day = 86_400_000L;
    int kind = RANDOM.nextInt(10);
    if (kind < 6) {
      return near(rules);
    }
    if (kind < 7) {
      return (RANDOM.nextInt(60_000) - 20_000) * day + RANDOM.nextInt(3) - 1;
    }
    if (kind < 9 || !rules.equals(DateTimeZone.UTC)) {
      return (long) ((RANDOM.nextDouble() * 2 - 1) * 7_900 * 365.2425 * day);
    }
    return (long) ((RANDOM.nextDouble() * 2 - 1) * 140_000_000 * 365.2425 * day);
  }

  static long near(DateTimeZone rules) {
    long year = 365 * 86_400_000L;
    if (RANDOM.nextBoolean()) {
      return (long) (RANDOM.nextDouble() * 70 * year);
    }
    long change = rules.nextTransition((long) ((RANDOM.nextDouble() * 130 - 60) * year));
    return change + RANDOM.nextInt(4 * 3_600_000 + 1) - 2 * 3_600_000;
  }

  static void relations() throws Exception {
    List<Interval> all = new ArrayList<>();
    for (int start = 0; start <= 4; start++) {
      for (int end = start; end <= 4; end++) {
        all.add(interval(start, end));
      }
    }
    ObjectNode table = JSON.createObjectNode();
    ArrayNode pairs = table.putArray("pairs");
    for (Interval one : all) {
      for (Interval other : all) {
        String said = (one.contains(other) ? "c" : "") + (one.overlaps(other) ? "o" : "") + (one.abuts(other) ? "a" : "");
        ArrayNode pair = pairs.addArray();
        ends(pair, one);
        ends(pair, other);
        pair.add(said);
      }
    }
    ArrayNode condensed = table.putArray("condensed");
    for (int i = 0; i < 300; i++) {
      List<Interval> list = new ArrayList<>();
      for (int left = RANDOM.nextInt(7); left > 0; left--) {
        int start = RANDOM.nextInt(20);
        list.add(interval(start, start + RANDOM.nextInt(7)));
      }
      ArrayNode both = condensed.addArray();
      ArrayNode given = both.addArray();
      list.forEach(one -> ends(given.addArray(), one));
      ArrayNode result = JSON.createArrayNode();
      JodaUtils.condenseIntervals(list).forEach(one -> ends(result.addArray(), one));
      both.add(result);
    }
    System.out.println(JSON.writeValueAsString(table));
  }

  static Interval interval(long start, long end) {
    return new Interval(start, end, ISOChronology.getInstanceUTC());
  }

  static void ends(ArrayNode to, Interval interval) {
    to.add(interval.getStartMillis()).add(interval.getEndMillis());
  }
}
