import type { AgentView, ListedTool, Prompt } from '@synchub/protocol'
import { type ReactNode, useId } from 'react'
import { Link } from 'wouter'
import { useTexts } from '../../language/texts.js'
import styles from './agent.module.css'
import { AGENT_TEXTS } from './agent-texts.js'
import { addressOf, type ChosenOffer, type OfferKind } from './chosen-offer.js'

interface OfferListsProps {
  readonly agent: AgentView
  readonly tools: readonly ListedTool[]
  readonly prompts: readonly Prompt[]
  readonly chosen: ChosenOffer | undefined
}

/** All that an agent offers, each kind apart, with what using it means. */
export function OfferLists({ agent, tools, prompts, chosen }: OfferListsProps) {
  const texts = useTexts(AGENT_TEXTS)
  const { name, resources, resourceTemplates, refused } = agent
  const entry = (kind: OfferKind, of: string, more: Pick<OfferEntryProps, 'title' | 'note' | 'code' | 'words'>) => (
    <OfferEntry
      key={`${kind} ${of}`}
      href={addressOf(name, { kind, name: of })}
      isChosen={chosen?.kind === kind && chosen.name === of}
      {...more}
    />
  )
  return (
    <div>
      <Offers title={texts.tools} hint={texts.toolsHint} count={tools.length}>
        {tools.map((tool) =>
          entry('tool', tool.name, {
            title: tool.title ?? tool.name,
            note: tool._meta.mode === 'direct' ? texts.direct : texts.queued,
            words: tool.description,
          }),
        )}
      </Offers>
      <Offers title={texts.resources} hint={texts.resourcesHint} count={resources.length + resourceTemplates.length}>
        {resourceTemplates.map(({ uriTemplate, name: title }) =>
          entry('template', uriTemplate, { title, note: texts.template, code: uriTemplate }),
        )}
        {resources.map(({ uri, name: title }) => entry('resource', uri, { title, code: uri }))}
      </Offers>
      <Offers title={texts.prompts} hint={texts.promptsHint} count={prompts.length}>
        {prompts.map((prompt) =>
          entry('prompt', prompt.name, { title: prompt.title ?? prompt.name, words: prompt.description }),
        )}
      </Offers>
      <Offers title={texts.refused} hint={texts.refusedHint} count={refused.length}>
        {refused.map((each) => (
          <li key={`${each.kind} ${each.name ?? ''}`} className={styles.offer}>
            <span className={styles.offerName}>{each.name ?? each.kind}</span>
            <span className={styles.words}>{each.reason}</span>
          </li>
        ))}
      </Offers>
    </div>
  )
}

interface OfferEntryProps {
  readonly href: string
  readonly isChosen: boolean
  readonly title: string
  readonly note?: string | undefined
  readonly code?: string | undefined
  readonly words?: string | undefined
}

function OfferEntry({ href, isChosen, title, note, code, words }: OfferEntryProps) {
  return (
    <li>
      <Link href={href} className={styles.offer} aria-current={isChosen ? 'true' : undefined}>
        <span className={styles.offerName}>{title}</span>
        {note !== undefined && <span className={styles.mode}>{note}</span>}
        {code !== undefined && <code className={styles.words}>{code}</code>}
        {words !== undefined && <span className={styles.words}>{words}</span>}
      </Link>
    </li>
  )
}

interface OffersProps {
  readonly title: string
  readonly hint: string
  readonly count: number
  readonly children: ReactNode
}

function Offers({ title, hint, count, children }: OffersProps) {
  const id = useId()
  if (count === 0) return null
  return (
    <section className={styles.offers} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p className={styles.hint}>{hint}</p>
      <ul>{children}</ul>
    </section>
  )
}
