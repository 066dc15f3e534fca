import { useLayoutEffect, useRef } from 'react'

interface TabsProps {
  readonly label: string
  readonly tabs: readonly (readonly [string, string])[]
  readonly value: string
  readonly onChange: (key: string) => void
}

/** Views of one thing; the chosen one lies in the channel. */
export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  const list = useRef<HTMLDivElement>(null)
  // On a phone the tabs scroll: the chosen one is in sight. Only the list moves, not the page.
  useLayoutEffect(() => {
    const place = list.current
    const tab = place?.querySelector<HTMLElement>('[aria-selected="true"]') ?? null
    if (place === null || tab === null || place.scrollWidth <= place.clientWidth) return
    const [around, own] = [place.getBoundingClientRect(), tab.getBoundingClientRect()]
    place.scrollLeft += own.left + own.width / 2 - (around.left + around.width / 2)
  }, [value])
  const move = (event: React.KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const way = document.documentElement.dir === 'rtl' ? -step : step
    const at = tabs.findIndex(([key]) => key === value)
    const next = tabs[(at + way + tabs.length) % tabs.length]
    if (next === undefined) return
    onChange(next[0])
    event.currentTarget.querySelector<HTMLElement>(`[data-key="${next[0]}"]`)?.focus()
  }
  return (
    <div className="tabs" role="tablist" aria-label={label} onKeyDown={move} ref={list}>
      {tabs.map(([key, word]) => (
        <button
          key={key}
          type="button"
          role="tab"
          data-key={key}
          className={key === value ? 'on' : ''}
          aria-selected={key === value}
          tabIndex={key === value ? 0 : -1}
          onClick={() => onChange(key)}
        >
          {word}
        </button>
      ))}
    </div>
  )
}
