// Times of rows as Druid's own TimestampSpec reads them: the source of tests/vectors/inline-times.jsonl.gz.
//
// Run with druid-processing 33.0.0 and what it needs on the class path, in English and UTC as a server is:
//   java -Duser.timezone=UTC -Duser.language=en -Duser.country=US -cp "LIB/*" InlineTimes.java | gzip -9n > inline-times.jsonl.gz
// One JSON array a line: [format, value, milliseconds since 1970 or null where Druid cannot read it].

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.druid.data.input.impl.TimestampSpec;
import org.joda.time.DateTime;
import org.joda.time.DateTimeZone;
import org.joda.time.format.DateTimeFormat;

public class InlineTimes {
  static final ObjectMapper JSON = new ObjectMapper();
  // A fixed seed: the table is the same whoever makes it.
  static final Random RANDOM = new Random(20260716);

  static final String[] NAMED = {"auto", "iso", "posix", "millis", "micro", "nano", "ruby", "ISO", "Auto", "MILLIS"};

  static final String[] PATTERNS = {
    "yyyy-MM-dd", "yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd HH:mm:ss.SSS", "yyyy-MM-dd'T'HH:mm:ss.SSSZ",
    "yyyy-MM-dd'T'HH:mm:ssZZ", "yyyy-MM-dd'T'HH:mm:ss'Z'", "yyyy/MM/dd HH:mm", "MM/dd/yyyy", "M/d/yyyy h:mm a",
    "MM/dd/yyyy hh:mm:ss a", "dd/MMM/yyyy:HH:mm:ss Z", "EEE, dd MMM yyyy HH:mm:ss Z", "EEE MMM dd HH:mm:ss yyyy",
    "EEEE, MMMM d, yyyy", "yyyyMMdd", "yyyyMMddHH", "yyyyMMddHHmmss", "yyyyMMddHHmmssSSS", "yyyy-DDD", "yyyyDDD",
    "xxxx-'W'ww-e", "xxxx'W'ww", "HH:mm", "MM-dd", "dd", "yyyy", "y", "Y-M-d", "yyyy-MM-dd kk:mm", "yyyy-MM-dd KK:mm a",
    "yyyy-MM-dd HH:mm:ss.SSSSSS", "yyyy-MM-dd HH:mm:ss,S", "'on' yyyy-MM-dd 'at' HH 'o''clock'", "yyyy.MM.dd",
    "yyyy-MM-dd HH:mm:ss a", "EEE yyyy-MM-dd", "yyyy-MM-dd e", "dd.MM.yyyy HH:mm:ss", "ssmmHHddMMyyyy", "yyyy-MM",
    "yyyy MMM", "yyyy-'Q'M",
  };

  static final String[] TEXTS = {
    "", " ", "0", "1", "-1", "+1", "1234567890", "1234567890123", "1469743200", "1469743200000", "1469743200.123", "1.5e9",
    "9223372036854775807", "9223372036854775808", "-62135596800000", "2026", "2026-07", "2026-07-16", "2026-07-16T05",
    "2026-07-16T05:06", "2026-07-16T05:06:07", "2026-07-16T05:06:07.8", "2026-07-16T05:06:07.891234", "2026-07-16T05:06:07,8",
    "2026-07-16T05:06:07Z", "2026-07-16T05:06:07z", "2026-07-16T05:06:07+05:30", "2026-07-16T05:06:07-0800",
    "2026-07-16T05:06:07+05", "2026-07-16 05:06:07", "2026-07-16 05:06:07Z", "2026-07-16 05:06:07 UTC",
    "2026-07-16 05:06:07 PST", "2026-07-16 05:06:07 Europe/Paris", "2026-07-16 05:06:07 utc", "2026-07-16T05:06:07 UTC",
    "2026-07-16T05:06:07 America/Los_Angeles", "2026-07-16 05", "2026-W29-4", "2026-197", "20260716", "20260716T050607",
    "2026-07-16T24:00", "2026-07-16T23:59:60", "2026-02-29", "2024-02-29", "2026-13-01", "2026-00-10", "2026-7-6",
    "T05:06", "05:06", "\"2026-07-16\"", " 2026-07-16 ", "\" 2026-07-16 \"", "\"1234567890\"", "yesterday", "null", "true",
    "-0001-01-01", "+2026-07-16", "+12026-07-16", "12026-07-16", "\u0662\u0660\u0662\u0666", "2026-07-16T", "2026-07-16T05:06:07.",
    "2026-07-16T05:06:07.5Z", "1e3", "0x10", "1_000", "1,000", "NaN", "Infinity", "1234567890.9999", "0.0015",
  };

  public static void main(String[] arguments) throws Exception {
    DateTimeZone.setDefault(DateTimeZone.UTC);
    Set<String> seen = new LinkedHashSet<>();
    for (String format : NAMED) {
      for (String text : TEXTS) {
        say(seen, format, text);
        for (int i = 0; i < 2 && !text.isEmpty(); i++) {
          say(seen, format, mutated(text));
        }
      }
      for (Number number : new Number[] {0, 1, -1, 1234567890, 1234567890123L, -5L, 1.5, -1.5, 1234567890.9999, 1.5e12, 1e300, Long.MAX_VALUE}) {
        say(seen, format, number);
      }
      say(seen, format, true);
      say(seen, format, Arrays.asList(1, 2));
    }
    for (String pattern : PATTERNS) {
      for (int i = 0; i < 60; i++) {
        DateTime time = new DateTime(-2_000_000_000_000L + (long) (RANDOM.nextDouble() * 5_000_000_000_000L), DateTimeZone.UTC);
        String text = time.toString(DateTimeFormat.forPattern(pattern));
        say(seen, pattern, text);
        say(seen, pattern, mutated(text));
        say(seen, pattern, mutated(mutated(text)));
        if (i % 10 == 0) {
          say(seen, pattern, text.toLowerCase());
          say(seen, pattern, text.toUpperCase());
          say(seen, pattern, "\"" + text + "\"");
          say(seen, pattern, " " + text + " ");
          say(seen, pattern, text + " ");
        }
      }
      for (String text : TEXTS) {
        say(seen, pattern, text);
      }
      for (Number number : new Number[] {0, 20260716, 1234567890123L, 1.5}) {
        say(seen, pattern, number);
      }
    }
    System.out.flush();
  }

  /** A slip of the pen: a character less, more, or another one; a number one up; a weekday that is not the date's. */
  static String mutated(String text) {
    String letters = "0123456789 -:/TZ+.,apAPM";
    int at = text.isEmpty() ? 0 : RANDOM.nextInt(text.length());
    char other = letters.charAt(RANDOM.nextInt(letters.length()));
    switch (RANDOM.nextInt(5)) {
      case 0:
        return text.isEmpty() ? text : text.substring(0, at) + text.substring(at + 1);
      case 1:
        return text.substring(0, at) + other + text.substring(at);
      case 2:
        return text.replaceFirst("Mon|Tue|Wed|Thu|Fri", "Sun").replaceFirst("January|March|May", "June");
      default:
        if (text.isEmpty()) {
          return text;
        }
        char now = text.charAt(at);
        char next = now >= '0' && now <= '8' ? (char) (now + 1) : other;
        return text.substring(0, at) + next + text.substring(at + 1);
    }
  }

  static void say(Set<String> seen, String format, Object value) throws Exception {
    Map<String, Object> row = new HashMap<>();
    row.put("t", value);
    Long ms;
    try {
      // A spec of its own for each: it remembers the time read last.
      DateTime time = new TimestampSpec("t", format, null).extractTimestamp(row);
      ms = time == null ? null : time.getMillis();
    } catch (Exception e) {
      ms = null;
    }
    List<Object> line = new ArrayList<>();
    line.add(format);
    line.add(value);
    line.add(ms);
    String text = JSON.writeValueAsString(line);
    if (seen.add(text)) {
      System.out.println(text);
    }
  }
}
