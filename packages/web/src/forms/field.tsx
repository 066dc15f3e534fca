import { type ReactNode, useId } from 'react'
import { withScheme } from '#src/forms/with-scheme.ts'
import { Icon } from '#src/ui/icon.tsx'
import { onDemand } from '#src/ui/on-demand.tsx'

const WorkflowControl = onDemand(() => import('#src/forms/workflow-control.tsx').then((module) => module.WorkflowControl))
const FileControl = onDemand(() => import('#src/forms/file-control.tsx').then((module) => module.FileControl))
const WorkflowsControl = onDemand(() => import('#src/forms/workflows-control.tsx').then((module) => module.WorkflowsControl))

export type FieldKind =
  | 'text'
  | 'email'
  | 'password'
  | 'new-password'
  | 'url'
  | 'number'
  | 'textarea'
  | 'code'
  | 'select'
  | 'workflow'
  | 'workflows'
  | 'checks'
  | 'switch'
  | 'date'
  | 'day'
  | 'time'
  | 'file'

/** One field of a form, as data. */
export interface FieldSpec {
  readonly name: string
  readonly label: string
  readonly kind?: FieldKind
  readonly hint?: ReactNode
  /** Above the field, for the first of several that belong together. */
  readonly heading?: string
  /** Beside the label, at the inline end. */
  readonly aside?: ReactNode
  readonly required?: boolean
  /** Key, word and, for `checks`, one line of explanation. Of a workflow: what can be chosen beside the workflows. */
  readonly options?: readonly (readonly [string, string, string?])[]
  readonly placeholder?: string
  readonly autoFocus?: boolean
  readonly autoComplete?: string
  readonly rows?: number
  /** Shows that it is needed, in a form where few fields are. */
  readonly marked?: boolean
  /** Of a file: media types, separated by commas. */
  readonly accept?: string
  /** Needed by few: folded away. */
  readonly advanced?: boolean
}

interface FieldProps {
  readonly spec: FieldSpec
  readonly value: unknown
  readonly error: string | undefined
  readonly onChange: (value: unknown) => void
  readonly large?: boolean
}

/** A labelled field with its hint or its error. */
export function Field({ spec, value, error, onChange, large = false }: FieldProps) {
  const id = useId()
  const { kind = 'text', label, hint, aside, required = false } = spec
  if (kind === 'switch') return <SwitchField id={id} spec={spec} value={value} error={error} onChange={onChange} />
  if (kind === 'checks') return <Checks spec={spec} value={value} error={error} onChange={onChange} />
  const described = error === undefined && hint === undefined ? undefined : `${id}-note`
  return (
    <div className="field">
      <div className="row between">
        <label className={spec.marked === true && required ? 'lbl marked' : 'lbl'} htmlFor={id}>
          {label}
          {!required && kind !== 'select' && kind !== 'workflow' && <span className="optional" />}
        </label>
        {aside}
      </div>
      <Control id={id} spec={spec} value={value} invalid={error !== undefined} described={described} onChange={onChange} large={large} />
      <Note id={`${id}-note`} error={error} hint={hint} />
    </div>
  )
}

/** What is wrong with a field, and below it what the field means, which helps to correct it. */
function Note({ id, error, hint }: { readonly id: string; readonly error: string | undefined; readonly hint: ReactNode }) {
  if (error === undefined && hint === undefined) return null
  return (
    <div id={id}>
      {error !== undefined && (
        <p className="hint c-bad row" role="alert">
          <Icon name="warn" />
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p className="hint" dir="auto">
          {hint}
        </p>
      )}
    </div>
  )
}

interface ControlProps extends Omit<FieldProps, 'error'> {
  readonly id: string
  readonly invalid: boolean
  readonly described: string | undefined
}

function Control({ id, spec, value, invalid, described, onChange, large }: ControlProps) {
  const { kind = 'text', required = false, placeholder, autoFocus = false, autoComplete, options = [], rows = 5 } = spec
  const className = ['input', large === true ? 'lg' : '', invalid ? 'bad' : '', kind === 'code' ? 'code' : '']
    .filter((part) => part !== '')
    .join(' ')
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const shared = {
    id,
    className,
    required,
    'aria-invalid': invalid || undefined,
    'aria-describedby': described,
    autoFocus,
    placeholder,
  } as const
  if (kind === 'file') return <FileControl shared={shared} value={text} accept={spec.accept} onChange={onChange} />
  if (kind === 'workflows') return <WorkflowsControl shared={shared} value={value} onChange={onChange} />
  if (kind === 'workflow') return <WorkflowControl shared={shared} value={text} others={options} onChange={onChange} />
  if (kind === 'select')
    return (
      <select {...shared} value={text} onChange={(event) => onChange(event.target.value)}>
        {options.map(([key, word]) => (
          <option key={key} value={key}>
            {word}
          </option>
        ))}
      </select>
    )
  if (kind === 'textarea' || kind === 'code')
    return (
      <textarea
        {...shared}
        rows={rows}
        dir={kind === 'code' ? 'ltr' : 'auto'}
        spellCheck={kind !== 'code'}
        value={text}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  return (
    <input
      {...shared}
      type={inputType(kind)}
      step={kind === 'number' || kind === 'date' ? 'any' : undefined}
      autoComplete={autoComplete ?? (kind === 'new-password' ? 'new-password' : 'off')}
      dir={kind === 'url' || kind === 'email' ? 'ltr' : undefined}
      value={text}
      onChange={(event) => onChange(event.target.value)}
      {...(kind === 'url' ? completing(text, onChange) : {})}
    />
  )
}

/** Gives an address its scheme when it is left or sent, before the browser refuses it. */
function completing(text: string, onChange: (value: string) => void) {
  const complete = () => {
    const whole = withScheme(text)
    if (whole !== text) onChange(whole)
  }
  return { onBlur: complete, onKeyDown: ({ key }: { readonly key: string }) => key === 'Enter' && complete() }
}

function inputType(kind: FieldKind): string {
  if (kind === 'new-password') return 'password'
  if (kind === 'date') return 'datetime-local'
  if (kind === 'day') return 'date'
  return kind === 'number' || kind === 'time' || kind === 'password' || kind === 'email' || kind === 'url' ? kind : 'text'
}

function SwitchField({ id, spec, value, error, onChange }: Omit<FieldProps, 'large'> & { readonly id: string }) {
  return (
    <div className="field">
      <label className="row switch-row" htmlFor={id}>
        <input
          id={id}
          type="checkbox"
          role="switch"
          className="switch"
          checked={value === true}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error === undefined ? undefined : `${id}-note`}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span>
          {spec.label}
          {spec.hint !== undefined && <span className="hint blk">{spec.hint}</span>}
        </span>
      </label>
      <Note id={`${id}-note`} error={error} hint={undefined} />
    </div>
  )
}

function Checks({ spec, value, error, onChange }: Omit<FieldProps, 'large'>) {
  const id = useId()
  const chosen = new Set<unknown>(Array.isArray(value) ? value : [])
  return (
    <fieldset className="field checks" aria-describedby={error === undefined ? undefined : id}>
      <legend className="lbl">{spec.label}</legend>
      <div className="checks-in">
        {(spec.options ?? []).map(([key, word, text]) => (
          <label key={key} className={text === undefined ? 'row t13' : 'row t13 explained'}>
            <input
              type="checkbox"
              className="check"
              checked={chosen.has(key)}
              onChange={() => onChange([...chosen.symmetricDifference(new Set([key]))])}
            />
            {text === undefined ? (
              word
            ) : (
              <span>
                <bdi className="b">{word}</bdi>
                <span className="hint blk">{text}</span>
              </span>
            )}
          </label>
        ))}
      </div>
      <Note id={id} error={error} hint={spec.hint} />
    </fieldset>
  )
}
