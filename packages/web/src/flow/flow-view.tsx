import { type ReactNode, useId } from 'react'
import type { OutlineBlock, OutlineEntry } from '#src/flow/outline.ts'
import { m } from '#src/messages/messages.ts'
import { KindIcon } from '#src/ui/icon.tsx'

/** What the drawing shows about one task beside its definition. */
export interface EntryLook {
  /** Colours the node. */
  readonly state?: string | undefined
  /** The channel into the task, and out of it. */
  readonly into: 'empty' | 'ready' | 'full' | 'run'
  readonly out: 'empty' | 'ready' | 'full' | 'run'
  /** True for a task on a way that was not taken. */
  readonly passedBy?: boolean
  readonly end?: ReactNode
  readonly summary?: ReactNode
  /** In the head of a loop. */
  readonly strip?: ReactNode
  readonly label?: string
}

interface FlowProps {
  readonly entries: readonly OutlineEntry[]
  readonly look: (entry: OutlineEntry) => EntryLook
  readonly selected: string | undefined
  readonly onSelect: (reference: string) => void
  readonly start: ReactNode
  readonly end: ReactNode
  /** Whether the way to the start and to the end is filled. */
  readonly ends: readonly [EntryLook['out'], EntryLook['into']]
}

/** The flow of a definition: nested lists on one channel, laid out by CSS alone. */
export function FlowView(props: FlowProps) {
  const id = useId()
  return (
    <div className="flow" aria-labelledby={id}>
      <span id={id} className="vh">
        {m.flow.label}
      </span>
      <ol className="list">
        <li className="entry thin" data-in="none" data-out={props.ends[0]}>
          <span className="node round">
            <KindIcon kind="start" />
          </span>
          <div className="card">{props.start}</div>
        </li>
        <Entries {...props} />
        <li className="entry last thin" data-in={props.ends[1]} data-out="none">
          <span className="node round">
            <KindIcon kind="end" />
          </span>
          <div className="card">{props.end}</div>
        </li>
      </ol>
    </div>
  )
}

function Entries(props: FlowProps) {
  return props.entries.map((entry) =>
    entry.blocks.length === 0 ? (
      <Card key={entry.reference} {...props} entry={entry} />
    ) : (
      <Block key={entry.reference} {...props} entry={entry} />
    ),
  )
}

type EntryProps = FlowProps & { readonly entry: OutlineEntry }

function liClass(kind: string, { entry, selected }: EntryProps): string {
  return ['entry', kind, entry.condition === undefined ? '' : 'if', entry.reference === selected ? 'selected' : '']
    .filter((part) => part !== '')
    .join(' ')
}

function Card(props: EntryProps) {
  const { entry, onSelect, selected } = props
  const look = props.look(entry)
  return (
    <li
      className={liClass('', props)}
      data-in={look.into}
      data-out={look.out}
      data-state={look.state}
      data-way={look.passedBy === true ? 'not' : undefined}
    >
      {entry.condition !== undefined && (
        <span className="cond">
          if <bdi className="mono">{entry.condition}</bdi>
        </span>
      )}
      <span className="node">
        <KindIcon kind={entry.kind} />
      </span>
      <button type="button" className="card" aria-pressed={entry.reference === selected} onClick={() => onSelect(entry.reference)}>
        <What entry={entry} look={look} />
      </button>
    </li>
  )
}

function What({ entry, look }: { readonly entry: OutlineEntry; readonly look: EntryLook }) {
  return (
    <>
      <span className="what">
        <bdi className="name">{entry.name}</bdi>
        <span className="sum">{look.summary ?? <bdi dir="auto">{entry.summary}</bdi>}</span>
      </span>
      <span className="end">{look.end}</span>
    </>
  )
}

function Block(props: EntryProps) {
  const { entry, onSelect, selected } = props
  const look = props.look(entry)
  const lanes = entry.blocks.filter((block) => block.kind === 'lane')
  return (
    <li
      className={liClass('block', props)}
      data-in={look.into}
      data-out={look.out}
      data-state={look.state}
      data-way={look.passedBy === true ? 'not' : undefined}
    >
      {entry.condition !== undefined && (
        <span className="cond">
          if <bdi className="mono">{entry.condition}</bdi>
        </span>
      )}
      <span className="node">
        <KindIcon kind={entry.kind} />
      </span>
      <button type="button" className="head" aria-pressed={entry.reference === selected} onClick={() => onSelect(entry.reference)}>
        <What entry={entry} look={look} />
      </button>
      {lanes.length > 0 && (
        <div className={`lanes n${Math.min(lanes.length, 4)}`} data-in={look.into} data-out={look.out}>
          {lanes.map((lane, index) => (
            <Lane key={lane.list[0]?.reference ?? index} {...props} lane={lane} />
          ))}
        </div>
      )}
      {entry.blocks
        .filter((block) => block.kind !== 'lane')
        .map((block) => (
          <Body key={block.kind} {...props} block={block} entryLook={look} />
        ))}
    </li>
  )
}

function Lane({ lane, ...props }: EntryProps & { readonly lane: OutlineBlock }) {
  const first = lane.list[0]
  const look = first === undefined ? undefined : props.look(first)
  return (
    <section className="lane" data-in={look?.into ?? 'empty'} data-out={look?.out ?? 'empty'} data-bypass={look?.into ?? 'empty'}>
      <span className="fan" />
      <div className="label" />
      <ol className="list">
        <Entries {...props} entries={lane.list} />
      </ol>
      <span className="tail" />
      <span className="join" />
    </section>
  )
}

function Body({ block, entryLook, ...props }: EntryProps & { readonly block: OutlineBlock; readonly entryLook: EntryLook }) {
  if (block.kind === 'catch') return <Catch {...props} block={block} entryLook={entryLook} />
  const first = block.list[0]
  const into = first === undefined ? 'empty' : props.look(first).into
  return (
    <div className={block.kind === 'loop' ? 'body loop' : 'body'} data-in={into} data-out={entryLook.out}>
      <span className="bend enter" />
      {block.kind === 'loop' && (
        <>
          <div className="loopbar">{entryLook.strip}</div>
          <span className="return" />
        </>
      )}
      <ol className="list">
        <Entries {...props} entries={block.list} />
      </ol>
      <span className="bend leave" />
    </div>
  )
}

function Catch({ block, entryLook, ...props }: EntryProps & { readonly block: OutlineBlock; readonly entryLook: EntryLook }) {
  const first = block.list[0]
  const into = first === undefined ? 'empty' : props.look(first).into
  return (
    <div className="body catchwrap" data-in={entryLook.out} data-out={entryLook.out}>
      <div className="catch" data-bypass={entryLook.out}>
        <div className="side wet" data-in={into} data-out={into}>
          <span className="bend enter" />
          <div className="label t12">
            <b className="c-bad">{m.flow.onError}</b> <span className="i2">{block.label}</span>
          </div>
          <ol className="list">
            <Entries {...props} entries={block.list} />
          </ol>
          <span className="bend leave" />
        </div>
      </div>
    </div>
  )
}
