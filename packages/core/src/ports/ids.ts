/** New identifiers. The engine's only source of them. */
export interface Ids {
  /**
   * A UUID that was never returned before.
   *
   * @example await ctx.entries.put({ id: ctx.ids.uuid(), key: reading.meter, value: reading.kWh });
   */
  uuid(): string;
}
