import { useQuery } from '@tanstack/react-query'
import { FailureNote } from '../../controls/failure-note.js'
import { Waiting } from '../../controls/waiting.js'
import { toFailure } from '../../hub/failure.js'
import { useTexts } from '../../language/texts.js'
import { loadPayload, PayloadFailure } from '../../payload/load-payload.js'
import { PayloadParts } from '../../payload/payload-parts.js'
import type { PayloadWish } from '../../payload/payload-worker.js'
import styles from './agent.module.css'
import { AGENT_TEXTS } from './agent-texts.js'

/** What an agent answered to a read: foreign text, shown as text and never acted upon. */
export function OfferReading({ wish }: { readonly wish: Exclude<PayloadWish, { readonly kind: 'call' }> }) {
  const texts = useTexts(AGENT_TEXTS)
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['reading', wish],
    queryFn: () => loadPayload(wish),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (isPending) return <Waiting />
  if (error !== null) {
    const failure = error instanceof PayloadFailure ? error.failure : toFailure(error)
    return <FailureNote failure={failure} onRetry={() => void refetch()} />
  }
  return (
    <section className={styles.reading} aria-label={texts.reading}>
      <p className={styles.hint}>{texts.foreign}</p>
      <PayloadParts parts={data} />
    </section>
  )
}
