import type { Language } from './language.js'

/** Numbers, instants and durations as people of one language write them. */
export interface Format {
  /** 12,345 */
  number(value: number): string
  /** 42% */
  percent(fraction: number): string
  /** 5.2 MB */
  bytes(bytes: number): string
  /** The whole instant, to the second, in this browser's time zone. */
  instant(atMs: number): string
  /** The time of day, to the millisecond. */
  timeOfDay(atMs: number): string
  /** 850ms, 1.2s, 3m 12s, 2h 5m */
  duration(ms: number): string
  /** just now, 3 min ago, yesterday */
  age(ms: number): string
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const formats = new Map<Language, Format>()

/** Formats of a language, made once: the browser takes some ms to make one, and every row of a list wants them. */
export function formatOf(language: Language): Format {
  const known = formats.get(language)
  if (known !== undefined) return known
  const format = createFormat(language)
  formats.set(language, format)
  return format
}

function createFormat(language: Language): Format {
  const number = new Intl.NumberFormat(language)
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 })
  const instant = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' })
  const timeOfDay = new Intl.DateTimeFormat(language, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hour12: false,
  })
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'narrow' })
  const units = new Map<string, Intl.NumberFormat>()
  const unit = (name: string, value: number, digits = 0) => {
    const key = `${name} ${digits}`
    const options = { style: 'unit', unit: name, unitDisplay: 'narrow', maximumFractionDigits: digits } as const
    const written = units.get(key) ?? new Intl.NumberFormat(language, options)
    units.set(key, written)
    return written.format(value)
  }
  const two = (ms: number, [large, largeMs]: [string, number], [small, smallMs]: [string, number]) => {
    const rest = Math.floor((ms % largeMs) / smallMs)
    const whole = unit(large, Math.floor(ms / largeMs))
    return rest === 0 ? whole : `${whole} ${unit(small, rest)}`
  }
  return {
    number: (value) => number.format(value),
    percent: (fraction) => percent.format(fraction),
    bytes(bytes) {
      if (bytes < 1000) return unit('byte', bytes)
      if (bytes < 1_000_000) return unit('kilobyte', bytes / 1000, 1)
      return unit('megabyte', bytes / 1_000_000, 1)
    },
    instant: (atMs) => instant.format(atMs),
    timeOfDay: (atMs) => timeOfDay.format(atMs),
    duration(ms) {
      if (ms < SECOND) return unit('millisecond', Math.max(0, Math.round(ms)))
      if (ms < MINUTE) return unit('second', Math.floor(ms / 100) / 10, 1)
      if (ms < HOUR) return two(ms, ['minute', MINUTE], ['second', SECOND])
      if (ms < DAY) return two(ms, ['hour', HOUR], ['minute', MINUTE])
      return two(ms, ['day', DAY], ['hour', HOUR])
    },
    age(ms) {
      if (ms < 5 * SECOND) return relative.format(0, 'second')
      if (ms < MINUTE) return relative.format(-Math.floor(ms / SECOND), 'second')
      if (ms < HOUR) return relative.format(-Math.floor(ms / MINUTE), 'minute')
      if (ms < DAY) return relative.format(-Math.floor(ms / HOUR), 'hour')
      return relative.format(-Math.floor(ms / DAY), 'day')
    },
  }
}
