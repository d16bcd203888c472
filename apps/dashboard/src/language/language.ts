import { useSyncExternalStore } from 'react'
import { createPreference } from '../theme/preference.js'

/** The languages of the pages. */
export type Language = 'en' | 'ko'

/** All languages, each by its own name. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', ko: '한국어' }

/** The language that this browser chose; at first the best of those that it asks for. */
export const languagePreference = createPreference<Language>('synchub-language', ['en', 'ko'], () =>
  navigator.languages.find((language) => /^(?:en|ko)\b/.test(language))?.startsWith('ko') ? 'ko' : 'en',
)

/** The language to show. */
export function useLanguage(): Language {
  return useSyncExternalStore(languagePreference.subscribe, languagePreference.read)
}

/** Tells the browser, and by it screen readers, which language the page is in. */
export function applyLanguage(): void {
  const apply = () => {
    document.documentElement.lang = languagePreference.read()
  }
  apply()
  languagePreference.subscribe(apply)
}
