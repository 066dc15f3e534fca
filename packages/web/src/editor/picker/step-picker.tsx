import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { functionSteps, functionTexts } from '#src/editor/functions/function-steps.ts'
import { useFunctions } from '#src/editor/functions/use-functions.ts'
import { findTemplates, type StepTemplate } from '#src/editor/picker/templates.ts'
import { m } from '#src/messages/messages.ts'
import { Dialog } from '#src/ui/dialog.tsx'
import { KindIcon } from '#src/ui/icon.tsx'

interface PickerProps {
  readonly onPick: (template: StepTemplate) => void
  readonly onClose: () => void
}

/** Chooses the kind of a step: by words, by the arrow keys, or by a click. */
export function StepPicker({ onPick, onClose }: PickerProps) {
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const functions = useFunctions(query)
  // A function that has a step of its own keeps the words of the step, which are translated.
  const texts = { ...functionTexts(functions), ...m.steps }
  // Steps of the language stay first, also while functions load.
  const found = [...findTemplates(query, m.steps), ...findTemplates(query, texts, functionSteps(functions))]
  const chosen = found[Math.min(at, found.length - 1)]
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === 'Enter' && chosen !== undefined) {
      event.preventDefault()
      onPick(chosen)
    }
    if (step === 0 || found.length === 0) return
    event.preventDefault()
    setAt((before) => (Math.min(before, found.length - 1) + step + found.length) % found.length)
  }
  return (
    <Dialog title={m.flowEditor.pick.title} onClose={onClose}>
      <input
        className="input"
        // A dialog gives the focus to the element with this attribute, which React does not write.
        ref={(node) => node?.setAttribute('autofocus', '')}
        type="search"
        role="combobox"
        aria-expanded="true"
        aria-controls="step-kinds"
        aria-activedescendant={chosen === undefined ? undefined : `step-kind-${chosen.key}`}
        aria-label={m.flowEditor.pick.find}
        placeholder={m.flowEditor.pick.find}
        value={query}
        onKeyDown={move}
        onChange={(event) => {
          setQuery(event.target.value)
          setAt(0)
        }}
      />
      <div id="step-kinds" className="kinds" role="listbox" aria-label={m.flowEditor.pick.title}>
        {found.map((template, index) => (
          <Kind
            key={template.key}
            template={template}
            words={texts[template.key] ?? [template.key, '']}
            head={query === '' && found[index - 1]?.group !== template.group}
            on={template === chosen}
            onPick={() => onPick(template)}
          />
        ))}
      </div>
      {found.length === 0 && <p className="i2 t13">{m.flowEditor.pick.none}</p>}
    </Dialog>
  )
}

interface KindProps {
  readonly template: StepTemplate
  readonly words: readonly [string, string]
  /** Whether its group begins here. */
  readonly head: boolean
  readonly on: boolean
  readonly onPick: () => void
}

function Kind({ template, words: [title, text], head, on, onPick }: KindProps) {
  const place = useRef<HTMLDivElement>(null)
  // Only when the choice moves: a list that jumps because functions arrive loses the press on another entry.
  useEffect(() => {
    if (on) place.current?.scrollIntoView({ block: 'nearest' })
  }, [on])
  return (
    <>
      {head && (
        <div className="kind-group t12 i3" role="presentation">
          {m.flowEditor.groups[template.group]}
        </div>
      )}
      <div
        id={`step-kind-${template.key}`}
        role="option"
        aria-selected={on}
        className={on ? 'kind on' : 'kind'}
        ref={place}
        onClick={onPick}
      >
        <span className="node">
          <KindIcon kind={template.glyph} />
        </span>
        <span className="kind-words">
          <b className="b">{title}</b>
          <span className="t12 i2">{text}</span>
        </span>
      </div>
    </>
  )
}
