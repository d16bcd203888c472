import type { AgentView, ListedTool } from '@synchub/protocol'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Boxes } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { Link, useParams, useSearch } from 'wouter'
import { EmptyNote } from '../../controls/empty-note.js'
import { FailureNote } from '../../controls/failure-note.js'
import { Waiting } from '../../controls/waiting.js'
import { toFailure } from '../../hub/failure.js'
import { hub } from '../../hub/hub-client.js'
import { useTexts } from '../../language/texts.js'
import { AGENTS_TEXTS } from '../agents/agents-texts.js'
import { HealthMark } from '../agents/health-mark.js'
import styles from './agent.module.css'
import { AGENT_TEXTS } from './agent-texts.js'

const ToolForm = lazy(() => import('./tool-form.js').then((module) => ({ default: module.ToolForm })))

/** One agent, its tools, resources and prompts apart: each kind asks for another consent. */
export function AgentPage() {
  const { name } = useParams<{ name: string }>()
  const texts = useTexts(AGENT_TEXTS)
  const agents = useQuery({ queryKey: ['agents'], queryFn: ({ signal }) => hub.agents({ signal }) })
  const tools = useQuery({ queryKey: ['tools'], queryFn: ({ signal }) => hub.tools({ signal }) })
  if (agents.isPending || tools.isPending) return <Waiting lines={6} />
  const failed = agents.error ?? tools.error
  if (failed !== null) return <FailureNote failure={toFailure(failed)} onRetry={() => void agents.refetch()} />
  const agent = agents.data?.find((each) => each.name === decodeURIComponent(name))
  if (agent === undefined) {
    return (
      <EmptyNote icon={Boxes} title={texts.missing}>
        <p>{texts.missingHint}</p>
      </EmptyNote>
    )
  }
  const own = (tools.data ?? []).filter(({ _meta: meta }) => meta.agent === agent.name)
  return <LoadedAgent agent={agent} tools={own} />
}

function LoadedAgent({ agent, tools }: { readonly agent: AgentView; readonly tools: readonly ListedTool[] }) {
  const texts = useTexts(AGENT_TEXTS)
  const words = useTexts(AGENTS_TEXTS)
  const chosen = new URLSearchParams(useSearch()).get('tool')
  const tool = tools.find(({ name }) => name === chosen)
  const { name, available, reason, trust, connector, resources, resourceTemplates, prompts, refused } = agent
  const address = `/agents/${encodeURIComponent(name)}`
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <Link href="/agents" className={styles.back} aria-label={words.name} title={words.name}>
          <ArrowLeft size={16} aria-hidden />
        </Link>
        <h1 className={styles.title}>{name}</h1>
        <HealthMark isAvailable={available} />
        <span className={styles.muted}>
          {words.trustLevels[trust] ?? trust} · {connector}
        </span>
        <Link href={`/traces?agent=${encodeURIComponent(name)}`} className={styles.toTraces}>
          {texts.toTraces}
        </Link>
      </header>
      {reason !== undefined && <p className={styles.reason}>{reason}</p>}
      <div className={styles.columns}>
        <div>
          <Offers title={texts.tools} hint={texts.toolsHint} count={tools.length}>
            {tools.map(({ name: toolName, title, description, _meta: meta }) => (
              <li key={toolName}>
                <Link
                  href={`${address}?tool=${encodeURIComponent(toolName)}`}
                  className={styles.offer}
                  aria-current={toolName === chosen ? 'true' : undefined}
                >
                  <span className={styles.offerName}>{title ?? toolName}</span>
                  <span className={styles.mode}>{meta.mode === 'direct' ? texts.direct : texts.queued}</span>
                  {description !== undefined && <span className={styles.words}>{description}</span>}
                </Link>
              </li>
            ))}
          </Offers>
          <Offers
            title={texts.resources}
            hint={texts.resourcesHint}
            count={resources.length + resourceTemplates.length}
          >
            {[
              ...resources,
              ...resourceTemplates.map(({ uriTemplate, name: of }) => ({ uri: uriTemplate, name: of })),
            ].map((each) => (
              <li key={each.uri} className={styles.offer}>
                <span className={styles.offerName}>{each.name}</span>
                <code className={styles.words}>{each.uri}</code>
              </li>
            ))}
          </Offers>
          <Offers title={texts.prompts} hint={texts.promptsHint} count={prompts.length}>
            {prompts.map((each) => (
              <li key={each.name} className={styles.offer}>
                <span className={styles.offerName}>{each.name}</span>
              </li>
            ))}
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
        <div className={styles.trial}>
          {tool === undefined ? (
            <p className={styles.muted}>{tools.length === 0 ? texts.noTools : texts.choose}</p>
          ) : (
            <Suspense fallback={<Waiting />}>
              <ToolForm key={tool.name} tool={tool} />
            </Suspense>
          )}
        </div>
      </div>
    </div>
  )
}

interface OffersProps {
  readonly title: string
  readonly hint: string
  readonly count: number
  readonly children: ReactNode
}

function Offers({ title, hint, count, children }: OffersProps) {
  if (count === 0) return null
  return (
    <section className={styles.offers}>
      <h2>{title}</h2>
      <p className={styles.hint}>{hint}</p>
      <ul>{children}</ul>
    </section>
  )
}
