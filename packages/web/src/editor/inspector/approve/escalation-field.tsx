import type { Json } from '@millrace/dsl'
import { below, isObject, jsonAt } from '#src/document/task-json.ts'
import { ApproversField } from '#src/editor/inspector/approve/approvers-field.tsx'
import { DurationField } from '#src/editor/inspector/approve/duration-field.tsx'
import { useForm } from '#src/editor/inspector/form-context.ts'
import { StepField } from '#src/editor/inspector/step-field.tsx'
import { useTyped } from '#src/editor/inspector/use-typed.ts'
import { YamlField } from '#src/editor/inspector/yaml-field.tsx'
import { m } from '#src/messages/messages.ts'
import { Button, IconButton } from '#src/ui/button.tsx'

/** What happens while no one decides: after a time others are asked, or get a notice. */
export function EscalationField({ pointer }: { readonly pointer: string }) {
  const a = m.approvalStep
  const { json, set, unset } = useForm()
  const value = jsonAt(json, pointer)
  const steps = listOf(value)
  const remove = (index: number) => {
    if (steps.length === 1) unset(pointer)
    else set(pointer, (now) => listOf(now).toSpliced(index, 1))
  }
  const isForm = (value === undefined || Array.isArray(value)) && steps.every((step) => isObject(step))
  return (
    <StepField name="escalation" label={a.escalation} pointer={pointer} hint={a.escalationHint}>
      {isForm ? (
        <div className="rows-field">
          {steps.map((_, index) => (
            <div key={index} className="asked" role="group" aria-label={a.escalationStep(index + 1)}>
              <div className="row">
                <b className="t13">{a.escalationStep(index + 1)}</b>
                <span className="sp" />
                <IconButton
                  icon="x"
                  size="sm"
                  label={m.flowEditor.fields.removeNamed(a.escalationStep(index + 1))}
                  onClick={() => remove(index)}
                />
              </div>
              <Step pointer={below(pointer, index)} />
            </div>
          ))}
          <Button size="sm" icon="plus" onClick={() => set(pointer, (now) => [...listOf(now), { after: 'P1D', approvers: [] }])}>
            {a.addEscalation}
          </Button>
        </div>
      ) : (
        <YamlField label={a.escalation} pointer={pointer} value={value} onCommit={(next) => set(pointer, next)} />
      )}
    </StepField>
  )
}

function Step({ pointer }: { readonly pointer: string }) {
  const a = m.approvalStep
  const { json, set, unset } = useForm()
  const replace = below(pointer, 'replace')
  return (
    <>
      <DurationField name="after" label={a.after} pointer={below(pointer, 'after')} required />
      <ApproversField label={a.thenAsk} pointer={below(pointer, 'approvers')} />
      <label className="row t13">
        <input
          type="checkbox"
          className="check"
          checked={jsonAt(json, replace) === true}
          onChange={({ target }) => (target.checked ? set(replace, true) : unset(replace))}
        />
        {a.replace}
      </label>
      <Notified pointer={below(pointer, 'notify')} />
    </>
  )
}

function Notified({ pointer }: { readonly pointer: string }) {
  const a = m.approvalStep
  const { json, set, unset } = useForm()
  const value = jsonAt(json, pointer)
  const addresses = listOf(value).filter((one) => typeof one === 'string')
  const { text, change, leave } = useTyped(addresses.join(', '), (typed) => {
    const next = typed
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean)
    if (next.length === 0) unset(pointer)
    else set(pointer, next)
  })
  return (
    <StepField name="notify" label={a.notify} pointer={pointer}>
      <input
        className="input"
        dir="ltr"
        aria-label={a.notify}
        placeholder="finance@example.com"
        value={text}
        onChange={({ target }) => change(target.value)}
        onBlur={leave}
      />
    </StepField>
  )
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}
