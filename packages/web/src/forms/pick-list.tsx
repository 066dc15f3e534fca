import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'

/** One of the things to choose from. */
export interface Choice {
  readonly key: string
  readonly title: string
  readonly text: string
  /** Its icon, or the initials of a person. */
  readonly mark: ReactNode
  /** The head that stands above the first of a group. */
  readonly group?: string | undefined
  /** Words that find it beside its title. */
  readonly words?: string
}

interface PickListProps {
  readonly label: string
  readonly choices: readonly Choice[]
  readonly query: string
  readonly onQuery: (query: string) => void
  readonly onPick: (key: string) => void
  /** Shown when nothing fits. */
  readonly none: ReactNode
}

/** A list that a person searches by words: the arrow keys move, Enter or a click chooses. */
export function PickList({ label, choices, query, onQuery, onPick, none }: PickListProps) {
  const id = useId()
  const [at, setAt] = useState(0)
  const chosen = choices[Math.min(at, choices.length - 1)]
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === 'Enter') {
      // The list may stand in a form, which Enter would send.
      event.preventDefault()
      if (chosen !== undefined) onPick(chosen.key)
    }
    if (step === 0 || choices.length === 0) return
    event.preventDefault()
    setAt((before) => (Math.min(before, choices.length - 1) + step + choices.length) % choices.length)
  }
  return (
    <>
      <input
        className="input"
        // A dialog gives the focus to the element with this attribute, which React does not write.
        ref={(node) => node?.setAttribute('autofocus', '')}
        type="search"
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={chosen === undefined ? undefined : `${id}-${chosen.key}`}
        aria-label={label}
        placeholder={label}
        value={query}
        onKeyDown={move}
        onChange={(event) => {
          onQuery(event.target.value)
          setAt(0)
        }}
      />
      <div id={id} className="kinds" role="listbox" aria-label={label}>
        {choices.map((choice, index) => (
          <Option
            key={choice.key}
            id={`${id}-${choice.key}`}
            choice={choice}
            head={choice.group !== choices[index - 1]?.group ? choice.group : undefined}
            on={choice === chosen}
            onPick={() => onPick(choice.key)}
          />
        ))}
      </div>
      {choices.length === 0 && <div className="i2 t13">{none}</div>}
    </>
  )
}

/** The choices of which each word of a search begins a word. */
export function matching(choices: readonly Choice[], query: string): readonly Choice[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return choices.filter(({ title, text, words: more = '' }) => {
    const own = `${title} ${text} ${more}`.toLowerCase().split(/[\s,.@()-]+/)
    return words.every((word) => own.some((one) => one.startsWith(word)) || title.toLowerCase().includes(word))
  })
}

interface OptionProps {
  readonly id: string
  readonly choice: Choice
  readonly head: string | undefined
  readonly on: boolean
  readonly onPick: () => void
}

function Option({ id, choice: { title, text, mark }, head, on, onPick }: OptionProps) {
  const place = useRef<HTMLDivElement>(null)
  // Only when the choice moves: a list that jumps because entries arrive loses the press on another entry.
  useEffect(() => {
    if (on) place.current?.scrollIntoView({ block: 'nearest' })
  }, [on])
  return (
    <>
      {head !== undefined && (
        <div className="kind-group t12 i3" role="presentation">
          {head}
        </div>
      )}
      <div id={id} role="option" aria-selected={on} className={on ? 'kind on' : 'kind'} ref={place} onClick={onPick}>
        <span className="node">{mark}</span>
        <span className="kind-words">
          <b className="b">
            <bdi>{title}</bdi>
          </b>
          <span className="t12 i2">
            <bdi>{text}</bdi>
          </span>
        </span>
      </div>
    </>
  )
}
