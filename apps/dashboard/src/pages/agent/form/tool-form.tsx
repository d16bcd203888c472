import Form from '@rjsf/core/lib/components/Form.js'
import { englishStringTranslator, type RJSFSchema, replaceStringParameters, type TranslatableString } from '@rjsf/utils'
import type { ListedTool } from '@synchub/protocol'
import { useCallback, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../../controls/button.js'
import { FailureNote } from '../../../controls/failure-note.js'
import { type Failure, toFailure } from '../../../hub/failure.js'
import { hub } from '../../../hub/hub-client.js'
import { useTexts } from '../../../language/texts.js'
import agentStyles from '../agent.module.css'
import { AGENT_TEXTS } from '../agent-texts.js'
import styles from './form.module.css'
import { FORM_TEMPLATES } from './form-templates.js'
import { FORM_TEXTS } from './form-texts.js'
import { createFormValidator, withoutPatterns } from './form-validator.js'
import { OPEN_FIELDS } from './open-fields.js'

/** A form made of a tool's schema. Calling leads to the trace, which is then followed live. */
export function ToolForm({ tool }: { readonly tool: ListedTool }) {
  const texts = useTexts(AGENT_TEXTS)
  const { complaints, library } = useTexts(FORM_TEXTS)
  const validator = useMemo(() => createFormValidator(complaints), [complaints])
  const [, go] = useLocation()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [data, setData] = useState<unknown>({})
  const schema = useMemo(() => withoutPatterns(tool.inputSchema) as RJSFSchema, [tool])
  const translate = useCallback(
    (word: TranslatableString, params?: string[]) => {
      const own = library[word]
      return own === undefined ? englishStringTranslator(word, params) : replaceStringParameters(own, params)
    },
    [library],
  )
  const call = async (args: unknown): Promise<void> => {
    setBusy(true)
    setFailure(null)
    try {
      const { traceId, callId } = await hub.start(tool.name, args ?? {})
      go(`/traces/${encodeURIComponent(traceId)}?call=${callId}`)
    } catch (thrown) {
      setFailure(toFailure(thrown))
      setBusy(false)
    }
  }
  return (
    <section className={agentStyles.form} aria-label={texts.try(tool.name)}>
      <h2>{texts.try(tool.name)}</h2>
      {tool.description !== undefined && (
        <p className={agentStyles.description} title={texts.unverified}>
          {tool.description}
        </p>
      )}
      <Form
        className={`${styles.fields}`}
        schema={schema}
        validator={validator}
        formData={data}
        showErrorList={false}
        noHtml5Validate
        focusOnFirstError
        idPrefix="argument"
        fields={OPEN_FIELDS}
        templates={FORM_TEMPLATES}
        translateString={translate}
        uiSchema={{ 'ui:title': '', 'ui:description': '' }}
        onChange={({ formData }) => setData(formData)}
        onError={() => setFailure(null)}
        onSubmit={({ formData }) => void call(formData)}
      >
        {failure !== null && <FailureNote failure={failure} />}
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {isBusy ? texts.calling : texts.call}
        </Button>
      </Form>
      <p className={agentStyles.hint}>{texts.asCaller}</p>
    </section>
  )
}
