import { defineTool, inputRequired, type ToolContext } from '../src/index.js'

/** Every run of {@link payTool}, as its handler saw it. */
export interface SeenRun {
  readonly inputs: ToolContext['inputs']
  readonly inputState: unknown
  readonly canAsk: ToolContext['canAsk']
}

const form = {
  message: 'How much?',
  schema: { type: 'object', properties: { amount: { type: 'integer', minimum: 1 } }, required: ['amount'] },
}

/** A tool that asks for an amount and then pays it. */
export function payTool(streams = false) {
  const runs: SeenRun[] = []
  const tool = defineTool({
    name: 'pay',
    description: '',
    inputSchema: { type: 'object' },
    streams,
    handler: (_, { inputs, inputState, canAsk }) => {
      runs.push({ inputs, inputState, canAsk })
      const { amount } = inputs.forms
      if (amount === undefined) return inputRequired({ forms: { amount: form }, state: { secret: 'own' } })
      return amount.action === 'accept' ? `paid ${String(amount.content.amount)}` : `not paid: ${amount.action}`
    },
  })
  return { tool, runs }
}

/** A filled form. */
export const paying = (amount: unknown) => ({ action: 'accept', content: { amount } })

const page = { message: 'Sign in at the bank', url: 'https://bank.example/sign-in?order=7' }
const sample = {
  messages: [{ role: 'user', content: 'Sum this up' } as const],
  maxTokens: 50,
  systemPrompt: 'Be brief.',
}

/** A tool that has a page opened and then a model write. */
export const bankTool = defineTool({
  name: 'bank',
  description: '',
  inputSchema: { type: 'object' },
  handler: (_, { inputs, canAsk }) => {
    const { signIn } = inputs.pages
    if (signIn === undefined) return inputRequired({ pages: { signIn: page } })
    if (signIn.action !== 'accept') return `not signed in: ${signIn.action}`
    const { summary } = inputs.samples
    if (summary === undefined) return inputRequired({ samples: { summary: sample } })
    return { structuredContent: { ...summary, canAsk } }
  },
})
