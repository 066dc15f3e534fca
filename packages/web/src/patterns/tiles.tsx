/** Figures side by side: a label, the value, and what it is compared with or made of. `many` wraps more than four. */
export function Tiles({
  tiles,
  many = false,
}: {
  readonly tiles: readonly (readonly [label: string, value: string, note: string])[]
  readonly many?: boolean
}) {
  return (
    <dl className={many ? 'panel tiles' : 'panel kpis'}>
      {tiles.map(([label, value, note]) => (
        <div key={label} className="kpi">
          <dt className="t12 i3">{label}</dt>
          <dd>
            <b className="num">{value}</b>
            <span className="t12 i3 blk num">
              <bdi>{note}</bdi>
            </span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
