import * as z from "zod";
import { addProblem, oneOrMore, textMatching } from "../../document/values.ts";
import { localTime, parseTimeOfDay, WEEKDAYS, type Weekday } from "../../domain/local-time.ts";
import { DAY, type Instant, MINUTE } from "../../domain/time.ts";
import type { Matcher } from "./matcher.ts";

export const timeOfDayValue = textMatching((text) => parseTimeOfDay(text) !== undefined, {
  what: "a time of day",
  repair: 'write hours and minutes in quotes, like "15:00"',
});

export interface TimeOfDayWindow {
  readonly from: string;
  readonly to: string;
  readonly days?: readonly Weekday[];
}

export const between = {
  key: "between",
  summary:
    'A time of day in Nairobi on the account\'s clock: { from: "15:00", to: "15:10", days: [mon, fri] }. The period may cross midnight; days are those on which it begins.',
  schema: z.lazy(() =>
    z
      .strictObject({
        from: timeOfDayValue.describe('Hours and minutes, like "15:00".'),
        to: timeOfDayValue.describe("The end, exclusive."),
        days: oneOrMore(z.enum(WEEKDAYS))
          .exactOptional()
          .describe("mon, tue, wed, thu, fri, sat or sun: one, or a list. Default every day."),
      })
      .superRefine(({ from, to }, context) => {
        if (from === to) addProblem(context, { problem: "is an empty period", repair: "write a different from or to" });
      }),
  ),
  compile: (value) => {
    const isWithin = compileBetween(value);
    return ({ at }) => isWithin(at);
  },
  difference: ({ from, to, days }, { at }) => {
    const { weekday, timeOfDay } = localTime(at);
    const minutes = Math.floor(timeOfDay / MINUTE);
    const clock = `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
    return `it is ${weekday} ${clock} in Africa/Nairobi, not between ${from} and ${to}${days === undefined ? "" : ` on ${days.join(" or ")}`}`;
  },
} satisfies Matcher<"between", TimeOfDayWindow>;

function compileBetween({ from, to, days = WEEKDAYS }: TimeOfDayWindow): (at: Instant) => boolean {
  const [begin, end] = [parseTimeOfDay(from) ?? 0, parseTimeOfDay(to) ?? DAY];
  return (at) => {
    const { weekday, timeOfDay } = localTime(at);
    const beganToday = timeOfDay >= begin && (begin > end || timeOfDay < end);
    if (beganToday) return days.includes(weekday);
    return begin > end && timeOfDay < end && days.includes(dayBefore(weekday));
  };
}

function dayBefore(weekday: Weekday): Weekday {
  return WEEKDAYS.at(WEEKDAYS.indexOf(weekday) - 1) ?? weekday;
}
