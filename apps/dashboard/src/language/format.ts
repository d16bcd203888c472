import { useLanguage } from './language.js'
import { type Format, formatOf } from './written-format.js'

/** Formats of the language to show. */
export function useFormat(): Format {
  return formatOf(useLanguage())
}
