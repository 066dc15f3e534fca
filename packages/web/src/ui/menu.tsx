import { type ComponentType, type ReactNode, useState } from 'react'
import { Icon } from '#src/ui/icon.tsx'

export interface MenuItem {
  readonly label: string
  readonly icon?: string
  readonly danger?: boolean
  readonly disabled?: boolean
  readonly act: () => void
}

export interface MenuProps {
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly icon?: string
  readonly text?: string
  /** What the button shows instead of an icon. */
  readonly face?: ReactNode
  /** Two lines above the items. */
  readonly heading?: { readonly title: string; readonly detail: string }
}

const load = () => import('#src/ui/opened-menu.tsx')
/** The click loads it again, and shows a failure. */
const loadEarly = () => void load().catch(() => undefined)

/** A button that opens a menu; without items there is no button. The library of menus loads with the first one that a person turns to. */
export function Menu(props: MenuProps) {
  const { label, icon = 'more', text, face } = props
  const [Opened, setOpened] = useState<ComponentType<MenuProps>>()
  if (props.items.length === 0) return null
  if (Opened !== undefined) return <Opened {...props} />
  return (
    <button
      type="button"
      className={text === undefined ? 'btn quiet icon' : 'btn'}
      aria-label={label}
      title={label}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={loadEarly}
      onFocus={loadEarly}
      onClick={() => void load().then(({ OpenedMenu }) => setOpened(() => OpenedMenu))}
    >
      {text}
      {face ?? <Icon name={icon} />}
    </button>
  )
}
