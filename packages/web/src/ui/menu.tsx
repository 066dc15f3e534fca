import { Menu as Base } from '@base-ui/react/menu'
import { Icon } from '#src/ui/icon.tsx'

export interface MenuItem {
  readonly label: string
  readonly icon?: string
  readonly danger?: boolean
  readonly disabled?: boolean
  readonly act: () => void
}

/** A button that opens a menu. */
export function Menu({
  label,
  items,
  icon = 'more',
  text,
}: {
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly icon?: string
  readonly text?: string
}) {
  return (
    <Base.Root>
      <Base.Trigger className={text === undefined ? 'btn quiet icon' : 'btn'} aria-label={label} title={label}>
        {text}
        <Icon name={icon} />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className="over" sideOffset={4} align="end">
          <Base.Popup className="menu">
            {items.map((item) => (
              <Base.Item
                key={item.label}
                className={item.danger === true ? 'c-bad' : ''}
                disabled={item.disabled ?? false}
                onClick={item.act}
              >
                {item.icon !== undefined && <Icon name={item.icon} />}
                {item.label}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
