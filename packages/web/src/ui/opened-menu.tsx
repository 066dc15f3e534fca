import { Menu as Base } from '@base-ui/react/menu'
import { Icon } from '#src/ui/icon.tsx'
import type { MenuProps } from '#src/ui/menu.tsx'

/** The button of a menu with the menu, open at first. */
export function OpenedMenu({ label, items, icon = 'more', text }: MenuProps) {
  return (
    <Base.Root defaultOpen>
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
