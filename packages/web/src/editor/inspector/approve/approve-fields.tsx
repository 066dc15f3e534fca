import type { Json } from '@millrace/dsl'
import { below, isObject, jsonAt } from '#src/document/task-json.ts'
import { ApproversField } from '#src/editor/inspector/approve/approvers-field.tsx'
import { AskedForm } from '#src/editor/inspector/approve/asked-form.tsx'
import { ChoiceField } from '#src/editor/inspector/approve/choice-field.tsx'
import { DurationField } from '#src/editor/inspector/approve/duration-field.tsx'
import { EscalationField } from '#src/editor/inspector/approve/escalation-field.tsx'
import { fieldAt, scalarText } from '#src/editor/inspector/field-model.ts'
import { Fields } from '#src/editor/inspector/field-view.tsx'
import { useForm } from '#src/editor/inspector/form-context.ts'
import { StepField } from '#src/editor/inspector/step-field.tsx'
import { TextField } from '#src/editor/inspector/text-field.tsx'
import { m } from '#src/messages/messages.ts'

const ownKeys = new Set([
  'title',
  'description',
  'details',
  'approvers',
  'required',
  'veto',
  'reason',
  'form',
  'deadline',
  'onDeadline',
  'escalation',
  'excludeStarter',
])
const countMax = 10

/** The arguments of an approval: the question, who decides, until when, and what happens then. */
export function ApproveFields({ task }: { readonly task: string }) {
  const a = m.approvalStep
  const { json } = useForm()
  const place = below(task, 'with')
  const given = jsonAt(json, place)
  const at = (key: string) => below(place, key)
  const counts: readonly (readonly [Json, string])[] = Array.from({ length: countMax }, (_, index) => [index + 1, a.count1(index + 1)])
  const others = Object.keys(isObject(given) ? given : {}).filter((key) => !ownKeys.has(key))
  return (
    <>
      <Words name="title" label={a.title} pointer={at('title')} required />
      <Words name="description" label={a.description} pointer={at('description')} hint={a.descriptionHint} />
      <Fields fields={[{ ...fieldAt(json, at('details')), forms: ['text', 'parts'], shown: true, hint: a.detailsHint }]} />
      <ApproversField label={a.approvers} pointer={at('approvers')} required />
      <ChoiceField name="required" label={a.required} pointer={at('required')} byDefault={1} options={[...counts, ['all', a.everyone]]} />
      <ChoiceField
        name="veto"
        label={a.veto}
        pointer={at('veto')}
        byDefault
        options={[[true, a.vetoOne], ...counts.slice(1), [false, a.vetoNone]]}
      />
      <ChoiceField
        name="excludeStarter"
        label={a.starter}
        pointer={at('excludeStarter')}
        byDefault
        options={[
          [true, a.starterExcluded],
          [false, a.starterDecides],
        ]}
      />
      <DurationField name="deadline" label={a.deadline} pointer={at('deadline')} hint={a.deadlineHint} />
      {(jsonAt(json, at('deadline')) !== undefined || jsonAt(json, at('onDeadline')) !== undefined) && (
        <ChoiceField name="onDeadline" label={a.onDeadline} pointer={at('onDeadline')} byDefault="reject" options={a.deadlineEnds} />
      )}
      <EscalationField pointer={at('escalation')} />
      <AskedForm pointer={at('form')} />
      <ChoiceField name="reason" label={a.reason} pointer={at('reason')} byDefault="reject" options={a.reasons} />
      {others.length > 0 && <Fields fields={others.map((key) => fieldAt(json, at(key)))} />}
    </>
  )
}

interface WordsProps {
  readonly name: string
  readonly label: string
  readonly pointer: string
  readonly required?: boolean
  readonly hint?: string
}

/** A text that may be an expression. */
function Words({ name, label, pointer, required = false, hint }: WordsProps) {
  const { json, set, unset } = useForm()
  const value = jsonAt(json, pointer)
  return (
    <StepField name={name} label={label} pointer={pointer} required={required} hint={hint}>
      <TextField
        label={label}
        pointer={pointer}
        value={typeof value === 'string' ? value : scalarText(value)}
        onCommit={(text) => (text === '' && !required ? unset(pointer) : set(pointer, text))}
      />
    </StepField>
  )
}
