import { memo, type ReactNode } from 'react'
import { type DrawnBlock, type DrawnEntry, flatEntries } from '#src/flow/drawing.ts'
import { type SlotPlace, useFlowEditing } from '#src/flow/flow-editing.ts'
import { AddLane, Slot } from '#src/flow/slot.tsx'
import { m } from '#src/messages/messages.ts'
import { Icon, KindIcon } from '#src/ui/icon.tsx'

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

/** What is drawn, and what a click does. */
interface Drawn {
  readonly entries: readonly DrawnEntry[]
  readonly look: (entry: DrawnEntry) => EntryLook
  /** What the look of an entry depends on; an entry is drawn again when it changes. Without it, always. */
  readonly lookKey?: ((entry: DrawnEntry) => string) | undefined
  readonly selected: string | undefined
  /** The step that the tab key leads to; of a flow that is not edited every step. */
  readonly reached?: string | undefined
  readonly onSelect: (reference: string) => void
}

/** A list that can be added to. */
interface ListProps extends Drawn {
  readonly list: string
  readonly from: number
  readonly to: number
  /** How the channel looks before the first step. */
  readonly flow: string
  readonly lane?: { readonly owner: DrawnEntry; readonly block: DrawnBlock } | undefined
  readonly fixed?: boolean
}

/** The steps of a list with the gaps between them. */
export function Entries({ list, from, to, flow, lane, fixed = false, ...props }: ListProps) {
  const { entries } = props
  if (fixed) return entries.map((entry) => <Step key={entry.path} {...props} entry={entry} />)
  if (entries.length === 0) return <Slot place={{ list, index: from, lane }} flow={flow} empty />
  return (
    <>
      {entries.map((entry, at) => (
        <Pair key={entry.path} {...props} entry={entry} slot={{ list, index: entry.index, lane }} flow={at === 0 ? flow : undefined} />
      ))}
      <Slot place={{ list, index: to, lane }} flow={outOf(props, entries.at(-1))} />
    </>
  )
}

function outOf({ look }: Drawn, entry: DrawnEntry | undefined): string {
  return entry === undefined ? 'ready' : look(entry).out
}

type EntryProps = Drawn & { readonly entry: DrawnEntry }

type PairProps = EntryProps & { readonly slot: SlotPlace; readonly flow: string | undefined }

/** A gap and the step after it. It is drawn again only when something of it, or of the steps inside, changed. */
const Pair = memo(function Pair({ slot, flow, ...props }: PairProps) {
  return (
    <>
      <Slot place={slot} flow={flow ?? props.look(props.entry).into} />
      <Step {...props} />
    </>
  )
}, isSamePair)

function isSamePair(before: PairProps, after: PairProps): boolean {
  const { entry, lookKey, selected, reached, slot } = after
  return (
    before.entry === entry &&
    lookKey !== undefined &&
    before.lookKey !== undefined &&
    isSameWithin(entry, before.selected, selected) &&
    isSameWithin(entry, before.reached, reached) &&
    (before.lookKey === lookKey || hasSameLook(entry, before.lookKey, lookKey)) &&
    before.flow === after.flow &&
    before.slot.list === slot.list &&
    before.slot.index === slot.index &&
    before.slot.lane?.block === slot.lane?.block
  )
}

/** Whether the same step of an entry, or none, is the one at a reference before and after. */
function isSameWithin(entry: DrawnEntry, before: string | undefined, after: string | undefined): boolean {
  if (before === after) return true
  for (const { reference } of flatEntries([entry])) if (reference === before || reference === after) return false
  return true
}

type LookKey = NonNullable<Drawn['lookKey']>

function hasSameLook(entry: DrawnEntry, before: LookKey, after: LookKey): boolean {
  for (const one of flatEntries([entry])) if (before(one) !== after(one)) return false
  return true
}

function Step(props: EntryProps) {
  const { entry, selected } = props
  const look = props.look(entry)
  const isBlock = entry.blocks.length > 0 || entry.kind === 'fork'
  const classes = [
    'entry',
    isBlock ? 'block' : '',
    canGrow(entry) ? 'grows' : '',
    entry.condition === undefined ? '' : 'if',
    entry.reference === selected ? 'selected' : '',
  ]
  return (
    <li
      className={classes.filter((part) => part !== '').join(' ')}
      data-in={look.into}
      data-out={look.out}
      data-state={look.state}
      data-way={look.passedBy === true || entry.badges.includes('disabled') ? 'not' : undefined}
    >
      {entry.condition !== undefined && (
        <span className="cond">
          if <bdi className="mono">{entry.condition}</bdi>
        </span>
      )}
      <span className="node">
        <KindIcon kind={entry.kind} />
      </span>
      <StepButton {...props} shown={look} className={isBlock ? 'head' : 'card'} />
      {isBlock && <FlowBlocks {...props} entryLook={look} />}
    </li>
  )
}

function StepButton({
  entry,
  selected,
  reached,
  onSelect,
  shown,
  className,
}: EntryProps & { readonly shown: EntryLook; readonly className: string }) {
  const editing = useFlowEditing()
  return (
    <button
      type="button"
      className={className}
      aria-pressed={entry.reference === selected}
      data-step={entry.reference}
      tabIndex={editing === undefined || entry.reference === reached ? 0 : -1}
      draggable={editing !== undefined}
      onDragStart={(event) => {
        event.stopPropagation()
        event.dataTransfer.setData('text/plain', entry.name)
        event.dataTransfer.effectAllowed = 'move'
        editing?.onDrag(entry)
      }}
      onDragEnd={() => editing?.onDrag(undefined)}
      onClick={() => onSelect(entry.reference)}
    >
      <span className="what">
        <bdi className="name">{entry.name}</bdi>
        <span className="sum">{shown.summary ?? <bdi dir="auto">{entry.summary}</bdi>}</span>
      </span>
      <span className="end">
        {entry.badges.includes('disabled') && <span className="badge">{m.flowEditor.disabled}</span>}
        {entry.leads !== undefined && entry.leads !== 'exit' && (
          <span className="t12 i3 nowrap leads">
            <Icon name="arrow" />
            <bdi>{entry.leads}</bdi>
          </span>
        )}
        {entry.badges.includes('note') && <Icon name="note" label={m.flowEditor.note} />}
        {shown.end}
      </span>
    </button>
  )
}

type BlocksProps = EntryProps & { readonly entryLook: EntryLook }
type BlockProps = BlocksProps & { readonly block: DrawnBlock }

/** Whether ways or branches can be added. */
function canGrow({ kind, blocks }: DrawnEntry): boolean {
  return kind === 'fork' || blocks.some((block) => block.kind === 'lane' && block.owner !== undefined)
}

/** The most lanes that stand side by side: more stand below each other. */
const besideMax = 4

/** What a task contains: lanes side by side, or a body with the way of an error. */
function FlowBlocks(props: BlocksProps) {
  const { entry, entryLook } = props
  const editing = useFlowEditing()
  const lanes = entry.blocks.filter((block) => block.kind === 'lane')
  const drawn = (
    <div className={`lanes n${Math.min(lanes.length, besideMax)}`} data-in={entryLook.into} data-out={entryLook.out}>
      {lanes.map((lane) => (
        <Lane key={lane.key} {...props} block={lane} />
      ))}
    </div>
  )
  return (
    <>
      {editing !== undefined && canGrow(entry) && (
        <AddLane onAdd={() => editing.onAddLane(entry)} label={entry.kind === 'fork' ? m.flowEditor.addBranch : m.flowEditor.addWay} />
      )}
      {lanes.length > besideMax ? <div className="lanes-below">{drawn}</div> : lanes.length > 0 && drawn}
      {entry.blocks
        .filter((block) => block.kind === 'body' || block.kind === 'loop')
        .map((block) => (
          <Body key={block.key} {...props} block={block} />
        ))}
    </>
  )
}

function firstLook({ look, block }: Pick<BlockProps, 'look' | 'block'>): EntryLook | undefined {
  const first = block.owner ?? block.entries[0]
  return first === undefined ? undefined : look(first)
}

const notTaken: EntryLook = { into: 'empty', out: 'empty', passedBy: true }

/** The look of a lane: that of its first step. A lane without steps was not taken if the run took another way of the switch. */
function laneLook({ block, entry, look }: BlockProps): EntryLook | undefined {
  const own = firstLook({ block, look })
  if (own !== undefined || entry.kind !== 'switch') return own
  const isTaken = entry.blocks.some((other) => {
    const first = other === block ? undefined : firstLook({ block: other, look })
    return first !== undefined && first.passedBy !== true && (first.into === 'full' || first.into === 'run')
  })
  return isTaken ? notTaken : undefined
}

function Lane(props: BlockProps) {
  const { block, entryLook } = props
  const first = laneLook(props)
  const into = first?.into ?? entryLook.into
  return (
    <section
      className="lane"
      data-in={into}
      data-out={first?.out ?? entryLook.out}
      data-bypass={into}
      data-way={first?.passedBy === true ? 'not' : undefined}
    >
      <span className="fan" />
      <div className="label">
        <LaneLabel {...props} />
      </div>
      <ol className="list">
        <Listed {...props} flow={into} />
      </ol>
      <span className="tail" />
      <span className="join" />
      {block.leaves !== 'join' && (
        <span className="leaves t12 i2">
          {block.leaves === 'end' && <Icon name="stop" />}
          {block.leaves === 'end' ? m.flowEditor.leavesEnd : m.flowEditor.leavesExit}
        </span>
      )}
    </section>
  )
}

function LaneLabel({ block, entry, selected, onSelect }: BlockProps) {
  const { owner } = block
  const words = (
    <>
      <bdi className="name">{block.label === '' ? m.flowEditor.otherwise : block.label}</bdi>
      {block.detail !== '' && <bdi className="mono t12 i2 trunc">{block.detail}</bdi>}
    </>
  )
  if (block.label === '' && entry.kind === 'fork') return null
  if (owner === undefined) return <span className="lane-name">{words}</span>
  return (
    <button
      type="button"
      className={owner.reference === selected ? 'lane-name selected' : 'lane-name'}
      aria-pressed={owner.reference === selected}
      data-step={owner.reference}
      tabIndex={owner.reference === selected ? 0 : -1}
      onClick={() => onSelect(owner.reference)}
    >
      {words}
    </button>
  )
}

function Listed({
  block,
  entry,
  entries: _entries,
  flow,
  look,
  lookKey,
  selected,
  reached,
  onSelect,
}: BlockProps & { readonly flow: string }) {
  const shared = block.kind === 'lane' && block.owner === undefined && entry.kind === 'switch'
  const lane: { readonly owner: DrawnEntry; readonly block: DrawnBlock } | undefined = shared ? { owner: entry, block } : undefined
  const { list, from, to, fixed, entries } = block
  return <Entries {...{ entries, look, lookKey, selected, reached, onSelect, list, from, to, flow, lane }} fixed={fixed && !shared} />
}

function Body(props: BlockProps) {
  const { block, entryLook } = props
  const into = firstLook(props)?.into ?? entryLook.into
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
        <Listed {...props} flow={into} />
      </ol>
      {props.entry.blocks
        .filter((other) => other.kind === 'catch')
        .map((other) => (
          <Catch key={other.key} {...props} block={other} />
        ))}
      <span className="bend leave" />
    </div>
  )
}

/** The way of an error, beside the channel of the body. */
function Catch(props: BlockProps) {
  const { block, entryLook } = props
  const into = firstLook(props)?.into ?? 'empty'
  return (
    <div className="catch" data-bypass={entryLook.out}>
      <div className="side wet" data-in={into} data-out={into}>
        <span className="bend enter" />
        <div className="label t12">
          <b className="c-bad">{m.flow.onError}</b> <span className="i2">{block.detail}</span>
        </div>
        <ol className="list">
          <Listed {...props} flow={into} />
        </ol>
        <span className="bend leave" />
      </div>
    </div>
  )
}
