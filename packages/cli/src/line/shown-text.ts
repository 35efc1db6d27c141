/** What the engine does not show of a text. Apart, since most lines are shown without loading the engine. */
export { shownText } from '@blockwork/core/block';
