import { below, jsonAt } from '#src/document/task-json.ts'
import { ChoiceField } from '#src/editor/inspector/approve/choice-field.tsx'
import { useForm } from '#src/editor/inspector/form-context.ts'
import { m } from '#src/messages/messages.ts'

/** What the steps behind a step get: what it returns, what it got, or both. */
export function PassedOnField({ task }: { readonly task: string }) {
  const { json } = useForm()
  const words = m.flowEditor.passedOn
  // Of a step with an own input that is what the task got before.
  const got = jsonAt(json, below(task, 'input')) === undefined ? '$input' : '$task.input'
  return (
    <ChoiceField
      name="passedOn"
      label={words.label}
      pointer={below(below(task, 'output'), 'as')}
      byDefault={null}
      options={[
        [null, words.returned],
        [`\${ ${got} }`, words.got],
        [`\${ ${got} + . }`, words.both],
      ]}
      hint={words.hint}
    />
  )
}
