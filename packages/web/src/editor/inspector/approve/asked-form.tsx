import { SchemaRowsField } from '#src/editor/inspector/schema-rows/schema-rows-field.tsx'
import { askedForm } from '#src/editor/inspector/schema-rows/schema-rows.ts'
import { StepField } from '#src/editor/inspector/step-field.tsx'
import { m } from '#src/messages/messages.ts'

/** What approvers choose or fill in beside their yes or no. */
export function AskedForm({ pointer }: { readonly pointer: string }) {
  const a = m.approvalStep
  return (
    <StepField name="form" label={a.form} pointer={pointer} hint={a.formHint}>
      <SchemaRowsField
        pointer={pointer}
        label={a.form}
        form={askedForm}
        textLabel={a.question}
        requiredLabel={a.mustAnswer}
        additions={[
          [a.addChoice, { name: 'choice', text: '', kind: 'choice', choices: a.newChoices, required: true }],
          [a.addField, { name: 'field', text: '', kind: 'text', choices: [], required: false }],
        ]}
      />
    </StepField>
  )
}
