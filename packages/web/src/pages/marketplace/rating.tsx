import { t } from '#src/pages/marketplace/texts.ts'
import { number } from '#src/values/format.ts'

/** The mean of the ratings; nothing without any. */
export function Rating({ rating, ratings }: { readonly rating: number | null; readonly ratings: number }) {
  if (rating === null) return null
  const label = t.rated(rating.toFixed(1), number(ratings))
  return (
    <span className="num" role="img" aria-label={label} title={label}>
      ★ {rating.toFixed(1)}
    </span>
  )
}
