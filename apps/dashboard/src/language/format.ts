import { useMemo } from 'react'
import { useLanguage } from './language.js'
import { createFormat, type Format } from './written-format.js'

/** Formats of the language to show. */
export function useFormat(): Format {
  const language = useLanguage()
  return useMemo(() => createFormat(language), [language])
}
