import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import frameUrl from './frame.html?url';
import classes from './preview.module.css';

interface EmailFrameProps {
  title: string;
  html: string;
  isDark?: boolean;
  marks?: readonly Mark[];
  /** The class of the node to which the frame scrolls. */
  shown?: string | undefined;
  /** The width for which the email is drawn, in pixels. Where there is less space, the email is made smaller. */
  width?: number;
}

/** Marks a node of the email with a coloured outline and a label. */
export interface Mark {
  className: string;
  label: string;
  colour: string;
}

const NO_MARKS: readonly Mark[] = [];

// Taller emails scroll inside the iframe.
const MAX_HEIGHT = 20_000;
const FIRST_HEIGHT = 480;

/** Shows an email in a sandboxed iframe with an origin of its own. The iframe is as tall as the email. */
export function EmailFrame(props: EmailFrameProps) {
  const { title, html, isDark = false, marks = NO_MARKS, shown, width } = props;
  const frame = useRef<HTMLIFrameElement>(null);
  const { ref: space, width: available } = useElementSize();
  const [height, setHeight] = useState(FIRST_HEIGHT);
  const [isLoaded, setIsLoaded] = useState(false);

  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent<{ height?: unknown }>) => {
      if (source !== frame.current?.contentWindow || typeof data.height !== 'number') return;
      setHeight(Math.min(Math.max(data.height, 1), MAX_HEIGHT));
    };
    addEventListener('message', onMessage);
    return () => removeEventListener('message', onMessage);
  }, []);

  useEffect(() => {
    if (isLoaded) post(frame.current, { html, isDark });
  }, [isLoaded, html, isDark]);

  useEffect(() => {
    if (isLoaded) post(frame.current, { marks, shown });
  }, [isLoaded, html, isDark, marks, shown]);

  const scale = width === undefined || available === 0 ? 1 : Math.min(available / width, 1);
  return (
    <div ref={space} style={scale < 1 ? { height: height * scale, overflow: 'hidden' } : {}}>
      <iframe
        ref={frame}
        title={title}
        src={frameUrl}
        sandbox="allow-scripts"
        referrerPolicy="no-referrer"
        className={classes['frame']}
        height={height}
        style={scale < 1 ? { width, transform: `scale(${scale})`, transformOrigin: '0 0' } : {}}
        onLoad={() => setIsLoaded(true)}
      />
    </div>
  );
}

/** The target origin is `*`, because a sandboxed iframe has an opaque origin, which no other value matches. */
const post = (frame: HTMLIFrameElement | null, message: object) =>
  frame?.contentWindow?.postMessage(message, '*');
