import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useKeys } from '#src/app/keys.ts'
import { m } from '#src/messages/messages.ts'
import { Icon } from '#src/ui/icon.tsx'
import { useRested } from '#src/values/use-rested.ts'

/** A filter is a member of the URL's search: a text, or one of some values. */
export interface Filter {
  readonly name: string
  readonly label: string
  readonly options?: readonly (readonly [string, string])[]
  /** What is shown without a choice; `any` unless given. */
  readonly unchosen?: string
  /** What other screens have elsewhere. */
  readonly isPhoneOnly?: boolean
}

interface FilterBarProps {
  readonly filters: readonly Filter[]
  readonly search: Readonly<Record<string, string>>
  /** What follows the filters. */
  readonly children?: ReactNode
}

export function FilterBar({ filters, search, children }: FilterBarProps) {
  const navigate = useNavigate()
  const set = (name: string, value: string) => {
    const { cursor: _cursor, [name]: _old, ...rest } = search
    void navigate({ to: '.', search: value === '' ? rest : { ...rest, [name]: value }, replace: true })
  }
  const first = filters.find(({ options }) => options === undefined)
  return (
    <search className="row filters wrap">
      {filters.map((filter) =>
        filter.options === undefined ? (
          <TextFilter key={filter.name} filter={filter} value={search[filter.name] ?? ''} set={set} first={filter === first} />
        ) : (
          <label
            key={filter.name}
            className={`fchip ${search[filter.name] === undefined ? '' : 'on'} ${filter.isPhoneOnly === true ? 'phone-only' : ''}`}
          >
            <span className="i3">{filter.label}</span>
            <select value={search[filter.name] ?? ''} onChange={(event) => set(filter.name, event.target.value)}>
              <option value="">{filter.unchosen ?? m.lists.any}</option>
              {filter.options.map(([key, word]) => (
                <option key={key} value={key}>
                  {word}
                </option>
              ))}
            </select>
          </label>
        ),
      )}
      {children}
    </search>
  )
}

function TextFilter({
  filter,
  value,
  set,
  first,
}: {
  readonly filter: Filter
  readonly value: string
  readonly set: (name: string, value: string) => void
  /** The first one has a key. */
  readonly first: boolean
}) {
  const [text, setText] = useState(value)
  // What the address has by this field: another value there comes from elsewhere, such as Back, and is shown.
  const sent = useRef(value)
  const send = (next: string) => {
    if (next === sent.current) return
    sent.current = next
    set(filter.name, next)
  }
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setText(value)
  }, [value])
  const rested = useRested(text)
  useEffect(() => send(rested.trim()), [rested])
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  useKeys(first ? { '/': () => input.current?.focus() } : {})
  return (
    <form
      className="input find-in"
      onSubmit={(event) => {
        event.preventDefault()
        send(text.trim())
      }}
    >
      <Icon name="search" />
      <label className="vh" htmlFor={id}>
        {filter.label}
      </label>
      <input id={id} ref={input} type="search" placeholder={filter.label} value={text} onChange={(event) => setText(event.target.value)} />
      {first && <kbd>/</kbd>}
    </form>
  )
}
