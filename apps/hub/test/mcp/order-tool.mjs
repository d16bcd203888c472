import { defineTool, inputRequired } from '@synchub/agent-sdk'

const URL_OF_PAGE = 'https://pay.example/checkout/7'
const ASKED = [{ role: /** @type {const} */ ('user'), content: 'Thank them' }]
const SIZE = { type: 'object', required: ['size'], properties: { size: { type: 'integer', minimum: 1 } } }

/** A tool that has a form filled in and a page opened, then a model write. @param {string} name @param {boolean} streams */
export const orderTool = (name, streams) =>
  defineTool({
    name,
    description: 'Takes an order',
    inputSchema: { type: 'object' },
    streams,
    handler(_args, { inputs, inputState }) {
      const { forms, pages, samples } = inputs
      if (forms.size === undefined || pages.checkout === undefined) {
        const checkout = { message: 'Pay for the order', url: URL_OF_PAGE }
        return inputRequired({ forms: { size: { message: 'How many?', schema: SIZE } }, pages: { checkout } })
      }
      if (forms.size.action !== 'accept') return `no order: ${forms.size.action}`
      if (samples.thanks === undefined) {
        const { size } = forms.size.content
        return inputRequired({ samples: { thanks: { messages: ASKED, maxTokens: 20 } }, state: { size } })
      }
      return `${String(inputState?.size)} ordered, ${pages.checkout.action}: ${samples.thanks.text}`
    },
  })
