import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { emptyDefinition, exampleDefinition } from '#src/pages/home/example.ts'
import { useSession } from '#src/session/session.ts'
import { ProblemPanel } from '#src/ui/problem.tsx'

/** The ways to a first workflow; each makes a real draft and opens it. */
export function Doors() {
  const navigate = useNavigate()
  const me = useSession((session) => session.me)
  const [problem, setProblem] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const create = (definition: string) => {
    setBusy(true)
    api.workflows
      .create({ body: { definition, publish: false } })
      .then(({ id }) => navigate({ to: `/workflows/${id}` }))
      .catch(setProblem)
      .finally(() => setBusy(false))
  }
  const tag = () => Date.now().toString(36).slice(-4)
  return (
    <>
      <div className="doors" aria-busy={busy}>
        <Door
          first
          title={m.home.example}
          text={m.home.exampleText}
          act={() => create(exampleDefinition(tag(), me?.email ?? ''))}
          drawing={<BranchDrawing />}
        />
        <Door title={m.home.start} text={m.home.startText} act={() => create(emptyDefinition(tag()))} drawing={<StartDrawing />} />
        <Door
          title={m.home.import}
          text={m.home.importText}
          act={() => void navigate({ to: '/workflows/new' })}
          drawing={<ImportDrawing />}
        />
      </div>
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

function ImportDrawing() {
  return (
    <svg viewBox="0 0 350 148" aria-hidden="true">
      <path d="M175 30v48M155 60l20 20 20-20" className="v on" />
      <path d="M60 104h80c14 0 14 10 35 10s21-10 35-10h80" className="v" />
      <path d="M60 104h80c14 0 14 10 35 10s21-10 35-10h80" className="gap" />
    </svg>
  )
}
