// Prints, as lines of JSON, dates as a date library of npm writes them: node dates_npm.js PACKAGE < request.json
// The request names locales, moments and distances; dates_npm.py sends it and reads the answer.
"use strict";
const { createRequire } = require("module");
const from = createRequire(process.cwd() + "/");
const request = JSON.parse(require("fs").readFileSync(0, "utf8"));
const now = new Date(request.now);

// Each adapter answers, for one locale: dates without time, a time, weekdays, whole stamps, and a distance from now.
const adapters = {
  moment: (moment) => (locale) => {
    require(from.resolve("moment/locale/" + (locale === "en" ? "en-gb" : locale)));
    const at = (when) => moment(when).locale(locale);
    return {
      dates: (when) => ["L", "LL", "l", "ll"].map((f) => at(when).format(f)),
      time: (when) => at(when).format("LT"),
      weekdays: (when) => ["dddd", "ddd"].map((f) => at(when).format(f)),
      stamps: (when) => ["LLL", "LLLL", "lll", "llll"].map((f) => at(when).format(f)),
      distance: (when) => at(when).from(moment(now)),
    };
  },
  dayjs: (dayjs) => (locale) => {
    for (const plugin of ["localizedFormat", "relativeTime"]) dayjs.extend(from("dayjs/plugin/" + plugin));
    from("dayjs/locale/" + locale);
    const at = (when) => dayjs(when).locale(locale);
    return {
      dates: (when) => ["L", "LL", "l", "ll"].map((f) => at(when).format(f)),
      time: (when) => at(when).format("LT"),
      weekdays: (when) => ["dddd", "ddd"].map((f) => at(when).format(f)),
      stamps: (when) => ["LLL", "LLLL", "lll", "llll"].map((f) => at(when).format(f)),
      distance: (when) => at(when).from(dayjs(now)),
    };
  },
  "date-fns": (fns) => (locale) => {
    const options = { locale: from("date-fns/locale")[locale] };
    return {
      dates: (when) => ["P", "PP", "PPP", "PPPP"].map((f) => fns.format(when, f, options)),
      time: (when) => fns.format(when, "p", options),
      weekdays: () => [],
      stamps: (when) => ["Pp", "PPp", "PPPp", "PPPPp"].map((f) => fns.format(when, f, options)),
      distance: (when) => fns.formatDistance(when, now, { ...options, addSuffix: true }),
    };
  },
  luxon: ({ DateTime }) => (locale) => {
    const at = (when) => DateTime.fromJSDate(when).setLocale(locale);
    return {
      dates: (when) => ["DATE_SHORT", "DATE_MED", "DATE_FULL", "DATE_HUGE"].map((f) => at(when).toLocaleString(DateTime[f])),
      time: (when) => at(when).toLocaleString(DateTime.TIME_SIMPLE),
      weekdays: () => [],
      stamps: (when) => ["DATETIME_SHORT", "DATETIME_MED"].map((f) => at(when).toLocaleString(DateTime[f])),
      distance: (when) => at(when).toRelative({ base: DateTime.fromJSDate(now) }),
    };
  },
};

const open = adapters[request.package](from(request.package));
for (const [language, locale] of Object.entries(request.locales)) {
  const shown = open(locale);
  for (const when of request.moments.map((m) => new Date(m)))
    console.log(JSON.stringify({
      language, at: when.toISOString(), dates: shown.dates(when), time: shown.time(when), weekdays: shown.weekdays(when),
      stamps: shown.stamps(when),
    }));
  for (const seconds of request.distances)
    console.log(JSON.stringify({ language, seconds, said: shown.distance(new Date(now - seconds * 1000)) }));
}
