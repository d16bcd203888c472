import { MailCheck, SearchX } from 'lucide-react'
import { EmptyNote } from '../../controls/empty-note.js'
import { useTexts } from '../../language/texts.js'
import type { DeadLetterWish } from './dead-letter-query.js'
import { DEAD_LETTER_TEXTS } from './dead-letters-texts.js'

/** There is none: none at all, none that was resolved, or none that matches. */
export function NoDeadLetters({ wish: { isResolved, state, agent } }: { readonly wish: DeadLetterWish }) {
  const texts = useTexts(DEAD_LETTER_TEXTS)
  if (state !== undefined || agent !== undefined) {
    return (
      <EmptyNote icon={SearchX} title={texts.noMatch}>
        <p>{texts.noMatchHint}</p>
      </EmptyNote>
    )
  }
  return (
    <EmptyNote icon={MailCheck} title={isResolved ? texts.noneResolved : texts.none}>
      <p>{isResolved ? texts.noneResolvedHint : texts.noneHint}</p>
    </EmptyNote>
  )
}
