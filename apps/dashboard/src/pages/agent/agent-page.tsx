import type { AgentView, ListedTool, Prompt } from '@synchub/protocol'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Boxes } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef } from 'react'
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
import { type ChosenOffer, readOffer } from './chosen-offer.js'
import { OfferLists } from './offer-lists.js'
import { PromptForm } from './prompt-form.js'
import { ResourceReader } from './resource-reader.js'

const ToolForm = lazy(() => import('./form/tool-form.js').then((module) => ({ default: module.ToolForm })))

/** One agent, its tools, resources and prompts apart: each kind asks for another consent. */
export function AgentPage() {
  const { name } = useParams<{ name: string }>()
  const texts = useTexts(AGENT_TEXTS)
  const agents = useQuery({ queryKey: ['agents'], queryFn: ({ signal }) => hub.agents({ signal }) })
  const tools = useQuery({ queryKey: ['tools'], queryFn: ({ signal }) => hub.tools({ signal }) })
  const prompts = useQuery({ queryKey: ['prompts'], queryFn: ({ signal }) => hub.prompts({ signal }) })
  if (agents.isPending || tools.isPending || prompts.isPending) return <Waiting lines={6} />
  const failed = agents.error ?? tools.error ?? prompts.error
  if (failed !== null) {
    const retry = () => Promise.all([agents.refetch(), tools.refetch(), prompts.refetch()])
    return <FailureNote failure={toFailure(failed)} onRetry={() => void retry()} />
  }
  const agent = agents.data?.find((each) => each.name === name)
  if (agent === undefined) {
    return (
      <EmptyNote icon={Boxes} title={texts.missing}>
        <p>{texts.missingHint}</p>
      </EmptyNote>
    )
  }
  const ownTools = (tools.data ?? []).filter(({ _meta: meta }) => meta.agent === agent.name)
  const ownPrompts = (prompts.data ?? []).filter((prompt) => agent.prompts.some((own) => own.name === prompt.name))
  return <LoadedAgent agent={agent} tools={ownTools} prompts={ownPrompts} />
}

interface LoadedAgentProps {
  readonly agent: AgentView
  readonly tools: readonly ListedTool[]
  readonly prompts: readonly Prompt[]
}

function LoadedAgent({ agent, tools, prompts }: LoadedAgentProps) {
  const texts = useTexts(AGENT_TEXTS)
  const words = useTexts(AGENTS_TEXTS)
  const chosen = readOffer(new URLSearchParams(useSearch()))
  const { name, available, reason, trust, connector } = agent
  const trial = useRef<HTMLDivElement>(null)
  const choice = chosen === undefined ? undefined : `${chosen.kind} ${chosen.name}`
  // On a phone it stands before the lists, far above the row that was touched.
  useEffect(() => {
    const part = trial.current
    if (choice !== undefined && part !== null && part.getBoundingClientRect().top < 0) part.scrollIntoView()
  }, [choice])
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
      <div className={styles.columns} data-chosen={chosen !== undefined}>
        <OfferLists agent={agent} tools={tools} prompts={prompts} chosen={chosen} />
        <div className={styles.trial} ref={trial}>
          <Trial agent={agent} tools={tools} prompts={prompts} chosen={chosen} />
        </div>
      </div>
    </div>
  )
}

/** What was chosen, to be used only after its own consent. */
function Trial({ agent, tools, prompts, chosen }: LoadedAgentProps & { readonly chosen: ChosenOffer | undefined }) {
  const texts = useTexts(AGENT_TEXTS)
  const { resources, resourceTemplates } = agent
  const hasNone = tools.length + prompts.length + resources.length + resourceTemplates.length === 0
  const nothing = <p className={styles.muted}>{hasNone ? texts.noOffers : texts.choose}</p>
  switch (chosen?.kind) {
    case 'tool': {
      const tool = tools.find((each) => each.name === chosen.name)
      if (tool === undefined) return nothing
      return (
        <Suspense fallback={<Waiting />}>
          <ToolForm key={tool.name} tool={tool} />
        </Suspense>
      )
    }
    case 'resource': {
      const resource = resources.find(({ uri }) => uri === chosen.name)
      if (resource === undefined) return nothing
      return <ResourceReader key={resource.uri} name={resource.name} pattern={resource.uri} />
    }
    case 'template': {
      const template = resourceTemplates.find(({ uriTemplate }) => uriTemplate === chosen.name)
      if (template === undefined) return nothing
      return (
        <ResourceReader key={template.uriTemplate} name={template.name} pattern={template.uriTemplate} isTemplate />
      )
    }
    case 'prompt': {
      const prompt = prompts.find((each) => each.name === chosen.name)
      return prompt === undefined ? nothing : <PromptForm key={prompt.name} prompt={prompt} />
    }
    case undefined:
      return nothing
  }
}
