import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { m } from '#src/messages/messages.ts'
import { exampleDefinition } from '#src/pages/home/example.ts'
import { tagOfNow, useNewDraft } from '#src/pages/home/use-new-draft.ts'
import { useSession } from '#src/session/session.ts'
import { Icon } from '#src/ui/icon.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'

/** The ways to a first workflow; each makes a real draft and opens it. */
export function Doors() {
  const navigate = useNavigate()
  const me = useSession((session) => session.me)
  const { create, startEmpty, busy, problem } = useNewDraft()
  return (
    <>
      <div className="doors" aria-busy={busy}>
        <Door
          first
          title={m.home.example}
          text={m.home.exampleText}
          act={() => create(exampleDefinition(tagOfNow(), me?.email ?? ''))}
          drawing={<BranchDrawing />}
        />
        <Door title={m.making.words} text={m.making.wordsText} act={() => void navigate({ to: '/new/words' })} drawing={<WordsDrawing />} />
        <Door title={m.making.empty} text={m.home.startText} act={startEmpty} drawing={<StartDrawing />} />
      </div>
      <nav className="row wrap other-ways" aria-label={m.making.more}>
        {others().map(([to, icon, word]) => (
          <Link key={to} to={to} className="row">
            <Icon name={icon} />
            {word}
          </Link>
        ))}
      </nav>
      {problem !== undefined && <ProblemPanel error={problem} />}
    </>
  )
}

interface DoorProps {
  readonly title: string
  readonly text: string
  readonly act: () => void
  readonly drawing: ReactNode
  readonly first?: boolean
}

function Door({ title, text, act, drawing, first = false }: DoorProps) {
  return (
    <button type="button" className={first ? 'door first' : 'door'} onClick={act}>
      {drawing}
      <span className="door-text">
        <b className="bb">{title}</b>
        <span className="t13 i2">{text}</span>
      </span>
    </button>
  )
}

function BranchDrawing() {
  const below = 'M150 74c16 0 14 29 34 29h70c20 0 18-29 34-29'
  return (
    <svg viewBox="0 0 350 148" aria-hidden="true">
      <path d={below} className="v" />
      <path d={below} className="gap" />
      <path d="M40 74h110c16 0 14-29 34-29h70c20 0 18 29 34 29h22" className="v on" />
      <rect x="76" y="65" width="18" height="18" rx="4" className="g on" />
      <rect x="139" y="65" width="18" height="18" rx="4" className="g on" />
      <rect x="210" y="36" width="18" height="18" rx="4" className="g on" />
      <rect x="210" y="94" width="18" height="18" rx="4" className="g" />
    </svg>
  )
}

function StartDrawing() {
  return (
    <svg viewBox="0 0 350 148" aria-hidden="true">
      <path d="M40 74h270" className="v" />
      <path d="M40 74h270" className="gap" />
      <rect x="76" y="65" width="18" height="18" rx="4" className="g on" />
      <path d="M134 64v20M124 74h20" className="v on" />
    </svg>
  )
}

/** A sentence that becomes a channel. */
function WordsDrawing() {
  return (
    <svg viewBox="0 0 350 148" aria-hidden="true">
      <path d="M40 58h96M40 74h72M40 90h84" className="v" />
      <path d="M150 50v48" className="v on" />
      <path d="M172 74h24c16 0 14-26 34-26h80" className="v" />
      <path d="M196 74c16 0 14 26 34 26h80" className="v" />
      <path d="M172 74h24c16 0 14-26 34-26h80M196 74c16 0 14 26 34 26h80" className="gap" />
    </svg>
  )
}

const others = () =>
  [
    ['/templates', 'template', m.making.template],
    ['/new/import', 'download', m.making.file],
    ['/new', 'more', m.making.more],
  ] as const
