// The generated client uses `BodyInit`, a type of the browser that Node's types do not declare.
type BodyInit = NonNullable<RequestInit['body']>;
