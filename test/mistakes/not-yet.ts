/** Mistakes that nothing notices yet. A name leaves its list with the change that notices it. */

/** Without a message of `blockwork validate` that says what to do. */
export const notYetFound: readonly string[] = [];

/** Without a mark in an editor. A JSON Schema cannot compare one place of a policy with another. */
export const notYetInEditors: readonly string[] = [
  'a tag is used twice',
  'documents go nowhere',
  'permissions name a role that is not there',
  'permissions name the owner in lower case',
  'a form for one role is in a container for another',
  'a link leads to no block',
  'a link comes from an output that is not there',
  'a link leads to an input that is not there',
  'a dependency is misspelt',
  'the block after an error is misspelt',
  'a source is outside of any grid',
  'the links of a mint lead back to it',
  'a form names its schema by name',
  'a topic is misspelt',
  'a column opens a block that is not there',
  'a column shows a field that is misspelt',
  'two buttons have one tag',
  'a condition is no formula',
  'a mint names a token that is not there',
  'a group has a role that is not there',
  'a navigation leads to no block',
  'a schema requires a field that is not there',
  'two templates have one tag',
  'two topics have one name',
  'two groups have one name',
  'a role is called as a special permission',
];
