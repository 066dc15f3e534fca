import { type FocusEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { type ActiveField, useForm } from '#src/editor/inspector/form-context.ts'
import { addressUse } from '#src/editor/inspector/picking/address-use.ts'
import { useCurlPaste } from '#src/editor/inspector/use-curl-paste.ts'
import { useLens } from '#src/editor/inspector/use-lens.ts'
import { useTyped } from '#src/editor/inspector/use-typed.ts'
import { onDemand } from '#src/ui/on-demand.tsx'

const LensView = onDemand(() => import('#src/editor/inspector/lens-view.tsx').then((module) => module.LensView))

interface TextFieldProps {
  readonly label: string
  readonly pointer: string
  readonly value: string
  readonly onCommit: (text: string) => void
  /** An expression without braces is one as well. */
  readonly expression?: boolean
  readonly code?: boolean
  readonly yaml?: boolean
  readonly choices?: readonly string[]
  readonly number?: boolean
  readonly placeholder?: string
}

/** A text of one or more lines; `${ … }` in it is an expression, which values can be picked into. */
export function TextField({
  label,
  pointer,
  value,
  onCommit,
  expression = false,
  code = false,
  yaml = false,
  choices = [],
  number = false,
  placeholder,
}: TextFieldProps) {
  const id = useId()
  const { json, onActive } = useForm()
  const { text, change, forget, leave } = useTyped(value, onCommit)
  const onPaste = useCurlPaste(pointer, forget)
  const place = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const isCode = code || expression || text.trimStart().startsWith('${')
  const rows = Math.min(14, Math.max(code ? 6 : 1, text.split('\n').length, Math.ceil(text.length / 44)))
  const rewrite: ActiveField['rewrite'] = (insert) => {
    const node = place.current
    if (node === null) return
    const end = node.value.length
    const next = insert({ text: node.value, from: node.selectionStart ?? end, to: node.selectionEnd ?? end })
    change(next.text)
    requestAnimationFrame(() => {
      node.focus()
      node.setSelectionRange(next.caret, next.caret)
    })
  }
  const common = {
    id,
    ref: place,
    className: isCode ? 'input code' : 'input',
    'aria-label': label,
    dir: isCode ? 'ltr' : 'auto',
    placeholder,
    spellCheck: false,
    autoComplete: 'off',
    value: text,
    onChange: (event: { readonly target: { readonly value: string } }) => change(event.target.value),
    onBlur: leave,
    onPaste,
    onFocus: () => onActive({ pointer, expression, number, yaml, address: addressUse(json, pointer), node: place, rewrite }),
  }
  if (number) return <input {...common} inputMode="numeric" />
  if (choices.length > 0)
    return (
      <>
        <input {...common} list={`${id}-choices`} />
        <datalist id={`${id}-choices`}>
          {choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      </>
    )
  return (
    <WithLens pointer={pointer} text={text} isPossible={isCode}>
      <textarea {...common} rows={rows} />
    </WithLens>
  )
}

/** A press outside ends on what was pressed: only then the lens goes, and what is below it moves up. */
const closeMs = 250

/** A field with the lens below it, while the field or the lens has the focus. */
function WithLens({
  pointer,
  text,
  isPossible,
  children,
}: {
  readonly pointer: string
  readonly text: string
  readonly isPossible: boolean
  readonly children: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const found = useLens(isOpen && isPossible, pointer, text)
  const left = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) return
    timer.current = setTimeout(() => setOpen(false), closeMs)
  }
  return (
    <div
      className="with-lens"
      onFocus={() => {
        clearTimeout(timer.current)
        setOpen(true)
      }}
      onBlur={left}
    >
      {children}
      {(found.lens !== undefined || found.problem !== undefined) && <LensView {...found} />}
    </div>
  )
}
