/** A block of a policy that is measured: active, and for everybody. */
export const block = (blockType, tag, more = {}) => ({
  blockType,
  tag,
  permissions: ['ANY_ROLE'],
  defaultActive: true,
  uiMetaData: {},
  children: [],
  ...more,
});
