import { m } from '#src/messages/messages.ts'
import { costText } from '#src/models/cost-text.ts'
import { useModelCurrency } from '#src/models/use-model-currency.ts'

/** What a result of a model cost, as an amount of money. */
export function ResultCost({ cost }: { readonly cost: number }) {
  const currency = useModelCurrency()
  return (
    <p className="t12 i2 num result-cost">
      {m.modelUse.cost} <bdi>{costText(cost, currency)}</bdi>
    </p>
  )
}
