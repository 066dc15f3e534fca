import { Fragment, type ReactNode, useEffect, useRef } from 'react'
import { InputError } from '#src/api/json.ts'
import { Field, type FieldSpec } from '#src/forms/field.tsx'
import { useForm, type Values } from '#src/forms/use-form.ts'
import { m } from '#src/messages/messages.ts'
import { Button } from '#src/ui/button.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'

export interface DataFormProps<V extends Values> {
  readonly fields: readonly FieldSpec[] | ((values: V) => readonly FieldSpec[])
  readonly initial: V
  readonly send: (values: V) => Promise<unknown>
  readonly label: string
  readonly large?: boolean
  readonly danger?: boolean
  /** Whether the button is pressed against the advice of the form. */
  readonly unadvised?: boolean
  /** Beside the button. */
  readonly beside?: ReactNode
  readonly before?: ReactNode
  /** Above the button: what the values mean. */
  readonly below?: (values: V) => ReactNode
  /** Places the form in the page, beside what depends on its values. */
  readonly layout?: (form: ReactNode, values: V) => ReactNode
  /** What follows from the change of a field for the others. */
  readonly derive?: (values: V, changed: string) => V
}

/** A form from data: fields, one button, errors where they belong. */
export function DataForm<V extends Values>({
  fields,
  initial,
  send,
  label,
  large = false,
  danger = false,
  unadvised = false,
  beside,
  before,
  below,
  layout = (form) => form,
  derive,
}: DataFormProps<V>) {
  const form = useForm(initial, send, derive)
  const folded = useRef<HTMLDetailsElement>(null)
  const specs = typeof fields === 'function' ? fields(form.values) : fields
  // A form whose fields depend on its values may send one that it does not show.
  const unseen = Object.entries(form.errors).flatMap(([name, text]) => (specs.some((spec) => spec.name === name) ? [] : [text]))
  const problem = unseen.length > 0 ? new InputError(unseen.join(' ')) : form.problem
  const advanced = specs.filter((spec) => spec.advanced === true)
  const isWrong = advanced.some(({ name }) => form.errors[name] !== undefined)
  // A person sees what is wrong, also where it was folded away.
  useEffect(() => {
    if (isWrong && folded.current !== null) folded.current.open = true
  }, [isWrong])
  const field = (spec: FieldSpec) => (
    <Fragment key={spec.name}>
      {spec.heading !== undefined && <h3>{spec.heading}</h3>}
      <Field
        spec={spec}
        value={form.values[spec.name]}
        error={form.errors[spec.name]}
        onChange={(value) => form.set(spec.name, value)}
        large={large}
      />
    </Fragment>
  )
  const drawn = (
    <form className="form" onSubmit={form.submit} noValidate={false}>
      {before}
      {specs.filter((spec) => spec.advanced !== true).map(field)}
      {advanced.length > 0 && (
        <details
          className="form-more"
          ref={folded}
          // The browser focuses a field that it refuses, which it cannot do in a closed part.
          onInvalidCapture={({ currentTarget }) => {
            currentTarget.open = true
          }}
        >
          <summary>{m.common.moreFields}</summary>
          <div className="form">{advanced.map(field)}</div>
        </details>
      )}
      {below?.(form.values)}
      {problem !== undefined && <ProblemPanel error={problem} />}
      <div className="row form-foot">
        <Button type="submit" look={danger ? 'danger' : unadvised ? 'plain' : 'primary'} size={large ? 'lg' : 'md'} busy={form.busy}>
          {label}
        </Button>
        {beside}
      </div>
    </form>
  )
  return layout(drawn, form.values)
}
