import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { notificationsPage, sectionsFor } from '#src/app/nav.ts'
import { pagesOf } from '#src/app/nav-entry.ts'
import { isMeant } from '#src/app/palette-match.ts'
import { switchTheme } from '#src/app/theme.ts'
import { m } from '#src/messages/messages.ts'
import { useSession } from '#src/session/session.ts'
import { signOut } from '#src/session/sign-out.ts'
import { Dialog } from '#src/ui/dialog.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { useRested } from '#src/values/use-rested.ts'

interface Entry {
  readonly key: string
  readonly label: string
  readonly group: string
  readonly icon: string
  readonly act: () => void
  readonly words?: string | undefined
}

/** Pages, workflows, runs by id, and actions, by a few letters. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const entries = useEntries(text)
  const chosen = entries[Math.min(at, entries.length - 1)]
  const run = (entry: Entry | undefined) => {
    if (entry === undefined) return
    onClose()
    entry.act()
  }
  const onKey = (event: React.KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === 'Enter') run(chosen)
    if (step === 0) return
    event.preventDefault()
    setAt(Math.max(0, Math.min(entries.length - 1, at + step)))
  }
  return (
    <Dialog title={m.palette.find} onClose={onClose}>
      <div className="palette">
        <input
          className="input lg"
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={chosen === undefined ? undefined : `palette-${chosen.key}`}
          aria-label={m.palette.find}
          placeholder={m.palette.placeholder}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setAt(0)
          }}
          onKeyDown={onKey}
        />
        <ul id="palette-list" role="listbox" aria-label={m.palette.results}>
          {entries.map((entry) => (
            <li key={entry.key} id={`palette-${entry.key}`} role="option" aria-selected={entry === chosen} onClick={() => run(entry)}>
              <Icon name={entry.icon} />
              <span className="trunc">{entry.label}</span>
              <span className="sp" />
              <span className="t12 i3">{entry.group}</span>
            </li>
          ))}
        </ul>
        {entries.length === 0 && <p className="i3">{m.palette.nothing}</p>}
      </div>
    </Dialog>
  )
}

const shownMax = 12

function useEntries(text: string): readonly Entry[] {
  const navigate = useNavigate()
  const me = useSession((session) => session.me)
  const query = useRested(text.trim())
  const workflows = useQuery({
    queryKey: ['palette.workflows', query],
    queryFn: () => api.workflows.list({ query: query === '' ? { limit: shownMax } : { limit: 100, q: query } }),
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  })
  // Further words that find a page are no part of what every page loads.
  const { data: pageWords } = useQuery({
    queryKey: ['palette.words'],
    queryFn: async () => (await import('#src/app/palette-words.ts')).pageWords,
    staleTime: Infinity,
  })
  const go = (to: string) => () => void navigate({ to })
  const notifications = notificationsPage()
  const pages = [
    ...sectionsFor(me).flatMap(({ entries }) => entries.flatMap(pagesOf)),
    ...(notifications === undefined ? [] : [notifications]),
  ]
  const all: readonly Entry[] = [
    ...pages.map(({ path, label, icon }) => ({
      key: path.replaceAll('/', '-'),
      label,
      icon,
      group: m.palette.page,
      act: go(path),
      words: pageWords?.[path],
    })),
    ...(workflows.data?.data ?? []).map(({ id, name }) => ({
      key: id,
      label: name,
      icon: 'flow',
      group: m.palette.workflow,
      act: go(`/workflows/${id}`),
    })),
    { key: 'theme', label: m.frame.theme, icon: 'theme', group: m.palette.action, act: switchTheme },
    { key: 'sign-out', label: m.session.signOut, icon: 'ext', group: m.palette.action, act: () => void signOut() },
  ]
  const found = all.filter(({ label, words }) => isMeant(text, label, words))
  const run = /^exec_\w{26}$/.exec(text.trim())
  const byId = run === null ? [] : [{ key: 'run', label: run[0], icon: 'runs', group: m.palette.run, act: go(`/runs/${run[0]}`) }]
  return [...byId, ...found].slice(0, shownMax)
}
