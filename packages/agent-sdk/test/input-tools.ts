import { defineTool, inputRequired, type ToolContext } from '../src/index.js'

/** Every run of {@link payTool}, as its handler saw it. */
export interface SeenRun {
  readonly inputs: ToolContext['inputs']
  readonly inputState: unknown
  readonly canAsk: boolean
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
      const { amount } = inputs
      if (amount === undefined) return inputRequired({ forms: { amount: form }, state: { secret: 'own' } })
      return amount.action === 'accept' ? `paid ${String(amount.content.amount)}` : `not paid: ${amount.action}`
    },
  })
  return { tool, runs }
}

/** A filled form. */
export const paying = (amount: unknown) => ({ action: 'accept', content: { amount } })
