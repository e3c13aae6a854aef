/** What relay-compiler writes into `__generated__`. */
declare module '*.graphql.js' {
  const artifact: import('relay-runtime').ConcreteRequest;
  export default artifact;
}
