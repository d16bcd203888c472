import { type Language, useLanguage } from './language.js'

/** All words of one part of the pages, in each language. What counts or names something is a function. */
export type Texts<Words> = Readonly<Record<Language, Words>>

/** Declares the words of a part; the compiler holds every language to the same ones. */
export function defineTexts<Words>(en: Words, ko: NoInfer<Words>): Texts<Words> {
  return { en, ko }
}

/** The words of a part in the language to show. */
export function useTexts<Words>(texts: Texts<Words>): Words {
  return texts[useLanguage()]
}
