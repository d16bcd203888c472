import { _, type Ajv, type CodeKeywordDefinition } from 'ajv'
import canonicalize from 'canonicalize'

/** References that one check may follow: a few seconds at worst. A tree of three megabytes needs a million. */
const MAX_STEPS = 2_000_000

/** Counts the steps of one check at a time. */
export interface StepCounter {
  reset(): void
}

/**
 * Bounds the time of a check by its schema. References that branch into each other can double the work with each level, so the
 * references that a check follows are counted. `uniqueItems` compares canonical texts, where ajv compares each item with each.
 * @returns the counter to reset before each check; a check that passes the bound throws
 */
export function boundKeywords(ajv: Ajv): StepCounter {
  let steps = 0
  const countStep = () => {
    if (++steps > MAX_STEPS) throw new Error(`its references lead on for more than ${MAX_STEPS} steps`)
  }
  for (const keyword of ['$ref', '$dynamicRef']) countSteps(ajv, keyword, countStep)
  ajv.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must NOT have equal items' },
    validate: (isWanted: boolean, items: readonly unknown[]) =>
      !isWanted || new Set(items.map((item) => canonicalize(item))).size === items.length,
  })
  return {
    reset() {
      steps = 0
    },
  }
}

function countSteps(ajv: Ajv, keyword: string, countStep: () => void): void {
  const definition = ajv.getKeyword(keyword)
  if (typeof definition === 'boolean' || !('code' in definition)) return
  const counted: CodeKeywordDefinition = {
    ...definition,
    code(cxt, ruleType) {
      cxt.gen.code(_`${cxt.gen.scopeValue('func', { ref: countStep })}()`)
      definition.code(cxt, ruleType)
    },
  }
  ajv.removeKeyword(keyword).addKeyword(counted)
}
