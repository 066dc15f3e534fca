/** Names of the sprite: `i-` interface, `k-` kinds of tasks, `s-` states. */
export type IconName = string

const mirrored = new Set(['arrow', 'prev', 'next', 'hook', 'undo', 'redo', 'retry', 'text', 'list', 'ext'])

/** A 16 px icon of the interface. Those that point are mirrored from right to left. */
export function Icon({ name, label }: { readonly name: IconName; readonly label?: string | undefined }) {
  return <Sprite id={`i-${name}`} className={mirrored.has(name) ? 'i flip' : 'i'} label={label} />
}

/** The glyph of a kind of task. */
export function KindIcon({ kind }: { readonly kind: string }) {
  return <Sprite id={`k-${kind}`} className="k" />
}

export function StateIcon({ state, label }: { readonly state: string; readonly label?: string | undefined }) {
  return <Sprite id={`s-${state}`} className={`s st-${state}`} label={label} />
}

export function Mark() {
  return <Sprite id="mark" className="m" />
}

function Sprite({ id, className, label }: { readonly id: string; readonly className: string; readonly label?: string | undefined }) {
  return (
    <svg className={className} {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}>
      <use href={`#${id}`} />
    </svg>
  )
}
