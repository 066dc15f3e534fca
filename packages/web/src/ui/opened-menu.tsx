import { Menu as Base } from '@base-ui/react/menu'
import { Icon } from '#src/ui/icon.tsx'
import type { MenuProps } from '#src/ui/menu.tsx'

/** The button of a menu with the menu, open at first. */
export function OpenedMenu({ label, items, icon = 'more', text, face, heading }: MenuProps) {
  return (
    <Base.Root defaultOpen>
      <Base.Trigger className={text === undefined ? 'btn quiet icon' : 'btn'} aria-label={label} title={label}>
        {text}
        {face ?? <Icon name={icon} />}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className="over" sideOffset={4} align="end">
          <Base.Popup className="menu">
            {heading !== undefined && (
              <div className="menu-head">
                <span className="b trunc blk">{heading.title}</span>
                <span className="t12 i3 trunc blk">{heading.detail}</span>
              </div>
            )}
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
