import type { Json } from '@millrace/dsl'
import { useEffect, useRef, useState } from 'react'
import type { ActiveField } from '#src/editor/inspector/form-context.ts'
import { insertIntoYaml } from '#src/editor/inspector/picking/insert-into-yaml.ts'
import { insertValue } from '#src/editor/inspector/picking/insert-value.ts'
import { pathOf } from '#src/editor/inspector/picking/jq-path.ts'
import { partsOf, type ReadableGroup } from '#src/editor/inspector/picking/readable-values.ts'
import type { TextUse } from '#src/editor/inspector/picking/typed.ts'
import { m } from '#src/messages/messages.ts'
import { shortValue } from '#src/rehearse/samples.ts'
import { Icon } from '#src/ui/icon.tsx'

interface PickerProps {
  /** Found when the list is opened. */
  readonly groups: () => readonly ReadableGroup[]
  /** The field that was left last. */
  readonly active: () => ActiveField | undefined
}

/** Values that a step can read, with samples; a click puts the path into the field that was left last. */
export function ValuePicker({ groups, active }: PickerProps) {
  const [open, setOpen] = useState(false)
  const place = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (!open) return
    place.current?.scrollIntoView({ block: 'nearest' })
    // The list leaves less room to the form.
    active()?.node.current?.scrollIntoView({ block: 'nearest' })
  }, [open])
  const onPick = (path: string) => {
    const field = active()
    field?.rewrite((typed) => (field.yaml ? insertIntoYaml(typed, path) : insertValue(typed, path, useOf(field))))
  }
  return (
    <details ref={place} className="value-picker" open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <Icon name="list" /> {m.flowEditor.pickValue}
      </summary>
      <p className="t12 i3">{m.flowEditor.pickHint}</p>
      {(open ? groups() : []).map(({ title, values }) => (
        <div key={title}>
          <div className="t12 i3 b">{title}</div>
          {values.map(({ root, value, schema, uncertain = false }) => (
            <Value key={root} root={root} keys={[]} value={value} schema={schema} uncertain={uncertain} onPick={onPick} />
          ))}
        </div>
      ))}
    </details>
  )
}

function useOf({ pointer, expression, number, address }: ActiveField): TextUse {
  if (address !== undefined) return address
  if (expression) return /\/(?:if|when|while)$/.test(pointer) ? 'condition' : 'expression'
  return number ? 'number' : 'text'
}

interface ValueProps {
  readonly root: string
  readonly keys: readonly (string | number)[]
  readonly value: Json | undefined
  readonly schema?: Json | undefined
  readonly uncertain: boolean
  readonly onPick: (path: string) => void
}

function Value({ root, keys, value, schema, uncertain, onPick }: ValueProps) {
  const [open, setOpen] = useState(keys.length === 0 && root === '.')
  const path = pathOf(root, keys)
  const children = partsOf({ value, schema })
  return (
    <div className="value-row">
      <div className="row">
        <button
          type="button"
          className="btn quiet icon sm"
          aria-expanded={open}
          aria-label={path}
          disabled={children.length === 0}
          onClick={() => setOpen(!open)}
        >
          {children.length > 0 && <Icon name={open ? 'down' : 'next'} />}
        </button>
        {/* The press keeps the focus and the caret in the field. */}
        <button type="button" className="value-pick" onMouseDown={(event) => event.preventDefault()} onClick={() => onPick(path)}>
          <bdi className="mono" dir="ltr">
            {keys.length === 0 ? root : String(keys.at(-1))}
          </bdi>
          {uncertain && keys.length === 0 && <span className="t12 c-wait">{m.flowEditor.onSomeWays}</span>}
          {value === undefined && keys.length > 0 ? (
            <span className="t12 i3">{m.flowEditor.notInSample}</span>
          ) : (
            <bdi className="mono i3 trunc" dir="ltr">
              {shortValue(value)}
            </bdi>
          )}
        </button>
      </div>
      {open && (
        <div className="value-children">
          {children.map(([key, child]) => (
            <Value key={key} root={root} keys={[...keys, key]} {...child} uncertain={uncertain} onPick={onPick} />
          ))}
        </div>
      )}
    </div>
  )
}
