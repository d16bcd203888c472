import type { TokenUsage } from '@synchub/protocol'
import { z } from 'zod'
import type { SummarySettings } from '../configuration/schema.js'
import type { ModelSummary, Summarize } from './model-summary.js'

/** An answer is some hundred words; more than this is not one. */
const MAX_ANSWER_BYTES = 1_048_576

const count = z.int().min(0)
const answerSchema = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }) })).default([]),
  usage: z.object({ prompt_tokens: count, completion_tokens: count }).optional().catch(undefined),
})

/**
 * Makes the function that asks an OpenAI-compatible endpoint (`POST <endpoint>/chat/completions`) for a summary. Whatever goes wrong
 * there is a reason in the answer: a research does not fail because its summary did. Neither the key nor what the endpoint
 * answered gets into a reason.
 */
export function createSummarizer(settings: SummarySettings, apiKey: string | undefined): Summarize {
  return async (messages, signal) => {
    const timeout = AbortSignal.timeout(settings.timeoutMs)
    try {
      const response = await fetch(completionsUrl(settings.endpoint), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify({
          model: settings.model,
          messages,
          max_tokens: settings.maxOutputTokens,
          temperature: 0,
          stream: false,
        }),
        // A redirect would carry documents, and perhaps the key, to a place that no configuration names.
        redirect: 'error',
        signal: AbortSignal.any([signal, timeout]),
      })
      if (!response.ok) {
        await response.body?.cancel()
        return failed(`answered ${response.status}`)
      }
      return readAnswer(await readBounded(response), settings.model)
    } catch (error) {
      signal.throwIfAborted()
      if (timeout.aborted) return failed(`gave no answer within ${settings.timeoutMs} ms`)
      return failed(`could not be asked (${causeOf(error)})`)
    }
  }
}

function completionsUrl(endpoint: string): URL {
  return new URL('chat/completions', endpoint.endsWith('/') ? endpoint : `${endpoint}/`)
}

async function readBounded(response: Response): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_ANSWER_BYTES) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function readAnswer(text: string | undefined, model: string): ModelSummary {
  if (text === undefined) return failed(`answered with more than ${MAX_ANSWER_BYTES} bytes`)
  const answer = answerSchema.safeParse(parseJson(text))
  if (!answer.success) return failed('answered with something other than a chat completion')
  const usage = answer.data.usage
  const tokenUsage = usage === undefined ? {} : { tokenUsage: toTokenUsage(usage) }
  const summary = answer.data.choices[0]?.message.content?.trim() ?? ''
  if (summary === '') return { ...failed('answered without a summary'), ...tokenUsage }
  return { outcome: 'written', text: summary, model, ...tokenUsage }
}

function toTokenUsage(usage: { prompt_tokens: number; completion_tokens: number }): TokenUsage {
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = usage
  return { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens }
}

/** Undefined when it is not JSON, which no schema accepts. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function failed(what: string): Extract<ModelSummary, { outcome: 'failed' }> {
  return { outcome: 'failed', reason: `the model endpoint ${what}` }
}

/** The code of a failed connection; `fetch` hides it in the cause. */
function causeOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: unknown }; message?: string }
  return typeof cause?.code === 'string' ? cause.code : (message ?? 'unknown error')
}
